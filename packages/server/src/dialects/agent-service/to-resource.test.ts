/** Questions of other dialects, as the resource shows them. */
import { defined, validatePayload } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { ann, answer, ask, decline } from '../../domain/asking.fixture.ts';
import { toResource } from './request-codec.ts';

const several = ask({ options: ['a', 'b', 'c'], maxSelections: 2 });

test('several options are picked by a payload, whose schema is shown', () => {
  const { payloadSchema, options } = toResource(several, 'org');
  expect(options?.map(({ id, kind }) => [id, kind])).toEqual([
    ['a', 'answer'],
    ['b', 'answer'],
    ['c', 'answer'],
  ]);
  expect(validatePayload(payloadSchema, { choice: ['a', 'b'] })).toEqual([]);
  expect(validatePayload(payloadSchema, { choice: ['a', 'b', 'c'] })).not.toEqual([]);
  expect(validatePayload(payloadSchema, { choice: ['x'] })).not.toEqual([]);
});

test('only where one option was picked is it the selected one', () => {
  const picking = (choice: string[]) => toResource(answer(several, ann, { choice }).interaction, 'org').response;
  expect(picking(['a', 'b'])).toMatchObject({ payload: { choice: ['a', 'b'] } });
  expect(picking(['a', 'b'])).not.toHaveProperty('selectedOptionId');
  expect(picking(['b'])).toMatchObject({ selectedOptionId: 'b', payload: { choice: ['b'] } });
});

test('where an option’s id can say it, the payload need not', () => {
  const asked = ask({ kind: 'approval', fields: [{ name: 'path', type: 'text', required: true }] });
  const { payloadSchema } = toResource(asked, 'org');
  expect(payloadSchema).toMatchObject({ required: ['path'], properties: { decision: {}, path: {} } });
  expect(validatePayload(payloadSchema, { path: '/' })).toEqual([]);
});

test('who declines a form has given no payload, and who leaves it empty has', () => {
  const form = ask({ fields: [{ name: 'note', type: 'text' }] });
  expect(toResource(decline(form, ann).interaction, 'org').response).not.toHaveProperty('payload');
  expect(toResource(answer(form, ann, {}).interaction, 'org').response).toMatchObject({ payload: {} });
});

test('how many votes it takes is in the metadata', () => {
  const voted = (metadata?: Record<string, unknown>) =>
    toResource(ask({ resolution: { mode: 'quorum', count: 3 }, ...defined({ metadata }) }), 'org').metadata;
  expect(voted()).toEqual({ resolutionCount: 3 });
  expect(voted({ a: 1, resolutionCount: 9 })).toEqual({ a: 1, resolutionCount: 3 });
});

import type { Interaction } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import { askedIn, placedIn } from './asked.ts';
import type { Reply } from './blocks-calls.ts';

const words = { untitled: 'Please choose', at: '2030-01-31T09:30:00.000Z' };
const reply = (blocks: object[], schema: object, more: Partial<Reply> = {}): Reply => ({
  ...{
    executionId: 'e1',
    conversationId: 'c1',
    status: 'waiting_input',
    waitToken: 'question.q1',
    waitExpiresAt: null,
  },
  blocks: blocks as Reply['blocks'],
  expectedInput: { schema: schema as never },
  ...more,
});

describe('a reply that waits for an answer', () => {
  test('[WI63] with a form asks its original fields, after the text of the question', () => {
    const fields = [
      { type: 'heading', text: 'You' },
      { type: 'text', name: 'code', required: true, secret: true, meta: { type: 'password' } },
      { type: 'checkbox', name: 'sure', required: false, meta: { type: 'confirm' } },
      { type: 'checkbox', name: 'news', required: false, meta: { note: 1 } },
    ];
    const blocks = [
      { id: 'm1:0', type: 'message', payload: { role: 'agent', text: 'Said' } },
      { id: 'q1:body', type: 'message', payload: { role: 'agent', text: 'Why' } },
      { id: 'q1', type: 'form', payload: { title: 'Sure?', fields, submit_label: 'Go' } },
    ];
    const schema = { properties: { code: {}, sure: {}, news: {} }, required: ['code', 'sure'] };
    const asked = askedIn(reply(blocks, schema, { waitExpiresAt: '2030-02-01T00:00:00.000Z' }), words);
    expect(asked).toMatchObject({ executionId: 'e1', waitToken: 'question.q1' });
    expect(asked?.interaction).toMatchObject({
      ...{ id: 'q1', threadId: 'c1', kind: 'form', title: 'Sure?', submitLabel: 'Go', content: [blocks[1]] },
      fields: [
        fields[0],
        { type: 'password', required: true },
        { type: 'confirm', required: true },
        { type: 'checkbox' },
      ],
      deadline: { at: '2030-02-01T00:00:00.000Z' },
    });
  });

  test('[WI63] with a payload asks by the schema, alone or under the remaining name', () => {
    const schema = { type: 'object', properties: { lines: { type: 'array' } } };
    const alone = askedIn(reply([{ id: 'q1', type: 'form', payload: { title: 'A', fields: [] } }], schema), words);
    expect(alone?.interaction.payloadSchema).toEqual(schema);
    expect(alone).not.toHaveProperty('payloadName');
    const fields = [{ type: 'text', name: 'a' }];
    const both = { properties: { a: {}, payload: schema } };
    const withFields = askedIn(reply([{ id: 'q1', type: 'form', payload: { title: 'A', fields } }], both), words);
    expect(withFields).toMatchObject({ payloadName: 'payload', interaction: { payloadSchema: schema } });
  });

  test('[WI63] with a choice or a card asks by buttons, with the number of options', () => {
    const choice = { name: 'c', title: 'With?', options: [{ value: 'a', label: 'A' }], multiple: true };
    const many = reply([{ id: 'q1', type: 'choice', payload: choice }], {
      properties: { c: { minItems: 1, maxItems: 2 } },
    });
    expect(askedIn(many, words)?.interaction).toMatchObject({
      kind: 'choice',
      fields: [{ type: 'multi_select', name: 'c', display: 'buttons', minSelections: 1, maxSelections: 2 }],
    });
    const actions = [
      { label: 'Take it', value: 'take' },
      { label: 'More', url: 'https://example.com/' },
    ];
    const card = reply([{ id: 'q1', type: 'card', payload: { text: 'B', actions } }], { properties: { action: {} } });
    expect(askedIn(card, words)?.interaction).toMatchObject({
      ...{ kind: 'choice', title: 'Please choose' },
      content: [{ type: 'card', payload: { text: 'B', actions: [actions[1]] } }],
      fields: [{ type: 'select', name: 'action', options: [{ value: 'take', label: 'Take it' }] }],
    });
  });

  test('[WI63] for the next message, for a time, or with an unknown block asks nothing', () => {
    const said = { id: 'm1:0', type: 'message', payload: { text: 'And then?' } };
    const text = { properties: { text: {} }, required: ['text'] };
    expect(askedIn(reply([said], text), words)).toBeUndefined();
    expect(askedIn(reply([], text), words)).toBeUndefined();
    expect(askedIn(reply([{ id: 'q1', type: 'hologram', payload: {} }], {}), words)).toBeUndefined();
    expect(askedIn(reply([{ id: 'q1', type: 'card', payload: {} }], {}), words)).toBeUndefined();
    const form = { id: 'q1', type: 'form', payload: { title: 'A', fields: [] } };
    expect(askedIn(reply([form], {}, { status: 'waiting_time', waitToken: null }), words)).toBeUndefined();
  });
});

test('[WI63] a problem points to its field, or to its part of the payload', () => {
  const fields = [
    { type: 'text', name: 'a.b' },
    { type: 'file_upload', name: 'photos' },
  ];
  const problem = (field: string) => ({ field, pointer: '', code: 'x', message: 'No.' });
  const at = (question: object, ...names: string[]) =>
    placedIn(question as Interaction, names.map(problem)).map(({ pointer }) => pointer);
  expect(at({ fields }, 'a.b', 'photos[0].file_id', 'else')).toEqual(['/values/a.b', '/values/photos', '/values/else']);
  expect(at({ fields: [], payloadSchema: {} }, 'lines[0].price', 'a/b')).toEqual([
    '/payload/lines/0/price',
    '/payload/a~1b',
  ]);
});

/** The page of the chat requests describes configs and form fields, type by type. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { startTestServer } from '../test-server.ts';
import { ask, newChat, type Refusal, refused, resolve } from './chat-requests.client.ts';

let admin: Client;
let chat: string;
const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
beforeAll(async () => {
  ({ admin } = server);
  chat = await newChat(admin);
});

const create = (body: unknown) => admin.post<Refusal>(`/api/v1/chats/${chat}/requests`, body);
const pointersOf = ({ details }: Refusal['error']) => details?.problems?.map(({ pointer }) => pointer);

describe('a field', () => {
  const options = ['staging', 'production'];
  const types: [string, object, unknown[], unknown[]][] = [
    ['text', {}, ['1.2.3'], [7, true, ['a']]],
    ['textarea', {}, ['one\ntwo'], [7]],
    ['select', { options }, ['production'], ['moon', ['staging']]],
    ['multiselect', { options }, [['staging'], ['production', 'staging']], ['staging', ['moon']]],
    ['checkbox', {}, [true, false], ['yes', 1]],
    ['date', {}, ['2030-01-31'], ['31.1.2030', '2030-02-30', 7]],
  ];

  test.each(types)('of type %s takes its values and no others', async (type, more, good, bad) => {
    const field = { name: 'it', label: 'It', type, ...more };
    for (const value of good) {
      const request = await ask(admin, chat, { type: 'form', title: 'T', config: { fields: [field] } });
      expect(request.config).toMatchObject({ fields: [field] });
      for (const wrong of bad) {
        const error = refused(await resolve(admin, request, { values: { it: wrong } }), 'VALIDATION_ERROR', 400);
        expect(pointersOf(error)?.[0]).toMatch(/^\/values\/it/);
      }
      const payload = { values: { it: value } };
      expect((await resolve(admin, request, payload)).body.resolution_payload).toEqual(payload);
    }
  });

  test.each(types.map(([type, more]) => [type, more] as const))(
    'of type %s may be left out, unless it is required',
    async (type, more) => {
      const asked = (required: boolean) => {
        const fields = [{ name: 'it', type, ...more, required }];
        return ask(admin, chat, { type: 'form', title: 'T', config: { fields } });
      };
      const error = refused(await resolve(admin, await asked(true), { values: {} }), 'VALIDATION_ERROR', 400);
      expect(pointersOf(error)).toEqual(['/values/it']);
      expect((await resolve(admin, await asked(false), { values: {} })).status).toBe(200);
    },
  );
});

describe('a request is refused at its place', () => {
  const field = (more: object) => ({ type: 'form', title: 'T', config: { fields: [{ name: 'it', ...more }] } });
  const choice = (config: object) => ({ type: 'choice', title: 'T', config });
  const cases: [string, object, string][] = [
    ['without a type', { title: 'T', config: {} }, '/type'],
    ['a choice without options', choice({}), '/config/options'],
    ['an option without a label', choice({ options: [{ id: 'a' }] }), '/config/options/0/label'],
    [
      'no option to be picked',
      choice({ options: [{ id: 'a', label: 'A' }], maxSelections: 0 }),
      '/config/maxSelections',
    ],
    ['a form without fields', { type: 'form', title: 'T', config: {} }, '/config/fields'],
    ['a field without a type', field({}), '/config/fields/0/type'],
    ['a select without options', field({ type: 'select' }), '/config/fields/0/options'],
    ['a multiselect without options', field({ type: 'multiselect' }), '/config/fields/0/options'],
    ['options that are no list', field({ type: 'select', options: 'a' }), '/config/fields/0/options'],
    ['a label that is no text', field({ type: 'text', label: 7 }), '/config/fields/0/label'],
    [
      'a minLength below nothing',
      { type: 'text_input', title: 'T', config: { validation: { minLength: -1 } } },
      '/config/validation/minLength',
    ],
  ];

  test.each(cases)('%s', async (_what, body, pointer) => {
    const error = refused(await create(body), 'VALIDATION_ERROR', 400);
    expect(pointersOf(error)).toContain(pointer);
  });
});

test('a text has the length that is asked for', async () => {
  const config = { validation: { minLength: 2, maxLength: 4 } };
  const request = await ask(admin, chat, { type: 'text_input', title: 'T', config });
  for (const text of ['a', 'abcde']) refused(await resolve(admin, request, { text }), 'VALIDATION_ERROR', 400);
  expect((await resolve(admin, request, { text: 'ab' })).status).toBe(200);
});

test.each(['primary', 'secondary', 'danger'])('an option of the variant %s comes back with it', async (variant) => {
  const config = { options: [{ id: 'a', label: 'A', variant }] };
  expect((await ask(admin, chat, { type: 'choice', title: 'T', config })).config).toMatchObject(config);
});

import type { Draft, Interaction, Page } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const fields = [
  { type: 'text', name: 'name', minLength: 5 },
  { type: 'password', name: 'pin' },
  { type: 'text', name: 'note', secret: true },
];
const ask = (): Promise<Interaction> => admin.ask({ options: undefined, fields });
const draftOf = (id: string) => `/v1/interactions/${id}/draft`;

test('[DR1][DR2] a draft is returned to its person only, without secrets, and creates no event', async () => {
  const { id, threadId } = await ask();
  const ada = await admin.withToken({ threadId });
  const elsewhere = await admin.withToken({ interactionId: id });
  const bob = await admin.withToken({ threadId, responderId: 'bob' });
  expect((await ada.get(draftOf(id))).body).toEqual({});
  const saved = await ada.post<Draft>(draftOf(id), { values: { name: 'An', pin: '1', note: 'x', more: 1 } });
  expect(saved).toMatchObject({ status: 200, body: { values: { name: 'An' } } });
  expect((await elsewhere.get(draftOf(id))).body).toEqual(saved.body);
  expect((await bob.get(draftOf(id))).body).toEqual({});
  await bob.post(draftOf(id), { values: { name: 'Bo' } });
  await elsewhere.post(draftOf(id), { values: { name: 'Ann' } });
  expect((await ada.get<Draft>(draftOf(id))).body.values).toEqual({ name: 'Ann' });
  expect((await bob.get<Draft>(draftOf(id))).body.values).toEqual({ name: 'Bo' });
  const { data } = (await admin.get<Page<{ type: string }>>(`/v1/threads/${threadId}/log`)).body;
  expect(data.map(({ type }) => type)).toEqual(['thread.created', 'interaction.created']);
});

test('[DR3] a closed question takes no draft and shows none', async () => {
  const { id, threadId } = await ask();
  const ada = await admin.withToken({ threadId });
  await ada.post(draftOf(id), { values: { name: 'Ann' } });
  await ada.post(`/v1/interactions/${id}/decline`);
  expect((await ada.get(draftOf(id))).body).toEqual({});
  const late = await ada.post(draftOf(id), { values: {} });
  expect(late).toMatchObject({ status: 409, body: { code: 'interaction-already-answered' } });
});

test('[DR1] a draft that is saved by many at once is one of them', async () => {
  const { id, threadId } = await ask();
  const ada = await admin.withToken({ threadId });
  const names = Array.from({ length: 10 }, (_, index) => `name ${index}`);
  const saved = await Promise.all(names.map((name) => ada.post(draftOf(id), { values: { name } })));
  expect(saved.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(names).toContain((await ada.get<Draft>(draftOf(id))).body.values?.name);
});

test('[DR2] a draft is bounded', async () => {
  const { id } = await ask();
  const reply = await admin.post(draftOf(id), { values: { name: 'x'.repeat(300_000) } });
  expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/values' }] } });
});

test('[DR2] a draft of a question by payloadSchema holds the payload as it was typed', async () => {
  const asked = await admin.ask({ options: undefined, payloadSchema: { type: 'object', required: ['name'] } });
  const payload = { name: 3, more: [null] };
  await admin.post(draftOf(asked.id), { payload });
  expect((await admin.get<Draft>(draftOf(asked.id))).body).toMatchObject({ values: {}, payload });
  const large = await admin.post(draftOf(asked.id), { payload: 'x'.repeat(300_000) });
  expect(large).toMatchObject({ status: 400, body: { errors: [{ pointer: '/payload' }] } });
  const other = await ask();
  await admin.post(draftOf(other.id), { values: { name: 'Ann' }, payload });
  expect((await admin.get<Draft>(draftOf(other.id))).body).not.toHaveProperty('payload');
});

test.each([
  ['is a password', { type: 'object', properties: { pin: { type: 'string', format: 'password' } } }],
  ['is for writing alone', { type: 'object', properties: { of: { type: 'array', items: { writeOnly: true } } } }],
  ['is one by reference', { $ref: '#/$defs/pin', $defs: { pin: { type: 'string', format: 'password' } } }],
])('[DR2] of a payload in which a part %s, nothing is kept', async (_name, payloadSchema) => {
  const { id } = await admin.ask({ options: undefined, payloadSchema });
  const saved = await admin.post<Draft>(draftOf(id), { payload: { pin: 'hunter2', of: ['hunter2'] } });
  expect(saved).toMatchObject({ status: 200, body: { values: {} } });
  expect(saved.body).not.toHaveProperty('payload');
  expect((await admin.get<Draft>(draftOf(id))).body).not.toHaveProperty('payload');
});

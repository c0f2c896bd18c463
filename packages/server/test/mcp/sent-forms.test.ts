/** ask_human with clients before 2026-07-28 that show forms: the server sends the form while the call runs. */
import type { Interaction } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { adminKey, startTestServer } from '../test-server.ts';
import { ask, connectMcp, legacy, onceWaitedAt, powers, waitersAt, waitOn } from './mcp-client.ts';
import type { Form } from './sdk-clients.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

const question = { title: 'Where to?', options: ['staging', 'production'] };
const newKey = async (role: string) =>
  (await server.admin.post<{ secret: string }>('/v1/keys', { name: 'another', role })).body.secret;
const read = async (id: string) => (await server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;
const lastAsked = async () =>
  (await server.admin.get<{ data: Interaction[] }>('/v1/interactions?order=newest&limit=1')).body.data[0];

interface Shown extends Form {
  /** The form is no longer wanted. */
  signal: AbortSignal;
}

/** A client whose user says what the function gives. */
async function whoSays(
  answer: (form: Shown) => object | Promise<object>,
  { version = '2025-11-25', key = adminKey, capabilities = powers.form as object } = {},
) {
  const seen: Shown[] = [];
  const client = await connectMcp(server.url, { ...legacy(version), capabilities }, key);
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    const form = { ...(params as unknown as Form), signal: mcpReq.signal };
    seen.push(form);
    return (await answer(form)) as { action: 'accept' };
  });
  return Object.assign(client, { seen });
}
const accepting = (content: object) => () => ({ action: 'accept', content });

/** Settles when the test lets it. */
function later() {
  let settle = (_value: object) => {};
  const value = new Promise<object>((resolve) => {
    settle = resolve;
  });
  return { value, settle };
}

test('[AH11] what is accepted is the answer, to exactly what was shown', async () => {
  await using client = await whoSays(accepting({ env: 'staging', tags: ['a'], sure: true }));
  const answered = await ask(client, {
    title: 'Deploy?',
    body: 'Nothing else runs.',
    fields: [
      { name: 'env', type: 'select', label: 'Where', required: true, options: ['staging', 'production'] },
      { name: 'tags', type: 'multi_select', options: ['a', 'b'] },
      { name: 'sure', type: 'confirm' },
    ],
  });
  expect(client.seen).toMatchObject([
    {
      mode: 'form',
      message: 'Deploy?\n\nNothing else runs.',
      requestedSchema: {
        properties: { env: { title: 'Where', oneOf: [{ const: 'staging' }, {}] }, tags: { type: 'array' } },
        required: ['env'],
      },
    },
  ]);
  expect(answered).toMatchObject({ status: 'answered', values: { env: 'staging', tags: ['a'], sure: true } });
  const { answer, digest } = await read(answered.interaction_id);
  expect(answer?.digest).toBe(digest);
});

test('[AH11] declined it is declined; cancelled the call ends, and the question stays', async () => {
  const said = [{ action: 'decline' }, { action: 'cancel' }];
  await using client = await whoSays(() => said.shift() ?? {});
  expect(await ask(client, question)).toMatchObject({ status: 'declined' });
  const left = await ask(client, question);
  expect(left).toMatchObject({ status: 'pending' });
  await server.admin.post(`/v1/interactions/${left.interaction_id}/cancel`, {});
});

test('[AH12] what does not fit is asked again, in a sentence that names the field as the person reads it', async () => {
  const said = ['nowhere@example.com', 'ana@holdpoint.example'];
  await using client = await whoSays(() => ({ action: 'accept', content: { mail: said.shift(), name: 'Ana' } }));
  const fields = [
    { name: 'mail', label: 'Your address', type: 'email', required: true, pattern: '^.*@holdpoint\\.example$' },
    { name: 'name', type: 'text' },
  ];
  expect(await ask(client, { title: 'Who are you?', fields })).toMatchObject({ status: 'answered' });
  expect(client.seen).toHaveLength(2);
  expect(client.seen[1]?.message).toMatch(/^Your address: [^/]+\.\n\nWho are you\?$/);
});

test('[AH11] a client that always answers wrong is asked ten times, and then waits', async () => {
  await using client = await whoSays(accepting({ choice: 'nowhere' }));
  const asking = ask(client, question);
  await expect.poll(() => client.seen.length, { timeout: 20_000 }).toBe(10);
  await onceWaitedAt(server, (id) =>
    server.admin.post(`/v1/interactions/${id}/answers`, { values: { choice: 'staging' } }),
  );
  expect(await asking).toMatchObject({ status: 'answered' });
  expect(client.seen).toHaveLength(10);
});

test('[AH11] a question that has changed since it was shown is shown again', async () => {
  await using client = await whoSays(async ({ message }) => {
    const id = (await lastAsked())?.id;
    if (message === question.title)
      await server.admin.call(`/v1/interactions/${id}`, { method: 'PATCH', body: { title: 'Where to, really?' } });
    return { action: 'accept', content: { choice: 'staging' } };
  });
  expect(await ask(client, question)).toMatchObject({ status: 'answered' });
  expect(client.seen.map(({ message }) => message)).toEqual([
    'Where to?',
    'The question has changed since it was shown.\n\nWhere to, really?',
  ]);
});

test('[AH1] [AH11] the first answer wins, and the form is withdrawn', async () => {
  const { value, settle } = later();
  await using client = await whoSays(() => value);
  const asking = ask(client, question);
  await expect.poll(() => client.seen.length).toBe(1);
  await onceWaitedAt(server, (id) =>
    server.admin.post(`/v1/interactions/${id}/answers`, { values: { choice: 'production' } }),
  );
  expect(await asking).toMatchObject({ status: 'answered', values: { choice: 'production' } });
  await expect.poll(() => client.seen[0]?.signal.aborted).toBe(true);
  settle({ action: 'cancel' });
});

test('[AH11] the form outlives the call: what is filled in after its time is the answer', async () => {
  const { value, settle } = later();
  await using client = await whoSays(() => value);
  const left = await ask(client, { ...question, wait_seconds: 1 });
  expect(left).toMatchObject({ status: 'pending' });
  expect(client.seen[0]?.signal.aborted).toBe(false);
  settle({ action: 'accept', content: { choice: 'staging' } });
  expect(await waitOn(client, left.interaction_id)).toMatchObject({
    status: 'answered',
    values: { choice: 'staging' },
  });
  expect(client.seen).toHaveLength(1);
});

test('[AH11] a client that cannot show the form after all waits for somebody else', async () => {
  await using client = await whoSays(() => Promise.reject(new Error('no window')));
  const asking = ask(client, question);
  await expect.poll(() => client.seen.length).toBe(1);
  await onceWaitedAt(server, (id) =>
    server.admin.post(`/v1/interactions/${id}/answers`, { values: { choice: 'staging' } }),
  );
  expect(await asking).toMatchObject({ status: 'answered' });
});

describe('version 2025-06-18', () => {
  test('[AH11] options have their titles beside them, and a proposal is accepted by an empty line', async () => {
    await using client = await whoSays(accepting({ env: 'production', note: '' }), { version: '2025-06-18' });
    const answered = await ask(client, {
      title: 'Deploy?',
      fields: [
        { name: 'env', type: 'select', options: [{ value: 'production', label: 'Live' }, 'staging'] },
        { name: 'note', type: 'text', label: 'Note', description: 'For the log.', required: true },
        { name: 'count', type: 'number' },
        { name: 'sure', type: 'checkbox', default: true },
      ],
      recommendations: { note: 'As planned', count: 3 },
    });
    expect(client.seen[0]).not.toHaveProperty('mode');
    expect(client.seen[0]?.requestedSchema).toEqual({
      type: 'object',
      properties: {
        env: { type: 'string', title: 'env', enum: ['production', 'staging'], enumNames: ['Live', 'staging'] },
        note: { type: 'string', title: 'Note', description: 'For the log. Leave this empty for: As planned' },
        count: { type: 'number', title: 'count', description: 'Leave this empty for: 3' },
        sure: { type: 'boolean', title: 'sure', default: true },
      },
    });
    expect(answered).toMatchObject({ values: { env: 'production', note: 'As planned', count: 3 } });
  });

  test('[AH11] what its forms cannot show is waited for', async () => {
    await using client = await whoSays(accepting({}), { version: '2025-06-18' });
    const several = { title: 'Which?', options: ['a', 'b', 'c'], maxSelections: 2, wait_seconds: 0 };
    expect(await ask(client, several)).toMatchObject({ status: 'pending' });
    expect(client.seen).toEqual([]);
  });
});

test.each([
  ['2025-11-25', { elicitation: { url: {} } }],
  ['2025-11-25', {}],
  ['2025-03-26', { elicitation: {} }],
])('[AH11] in version %s nothing is sent to a client that declares %j', async (version, capabilities) => {
  await using client = await connectMcp(server.url, { ...legacy(version), capabilities });
  expect(await ask(client, { ...question, wait_seconds: 0 })).toMatchObject({ status: 'pending' });
});

describe('whose answer it is', () => {
  test('[AH5] [AH11] with the key of an agent nobody is shown what only a person may answer', async () => {
    const key = await newKey('agent');
    await using client = await whoSays(accepting({ choice: 'staging' }), { key });
    expect(await ask(client, { ...question, wait_seconds: 0 })).toMatchObject({ status: 'pending' });
    expect(await ask(client, { ...question, assignees: ['ana'], wait_seconds: 0 })).toMatchObject({
      status: 'pending',
    });
    expect(client.seen).toEqual([]);
    const any = await ask(client, { ...question, responder: 'any' });
    expect(any).toMatchObject({ status: 'answered', answered_by: { type: 'agent' } });
  });

  test('[AH4] [AH11] a reply is of the key that was asked, counts once, and is refused when it is made up', async () => {
    const sent: { id: string }[] = [];
    const { value, settle } = later();
    await using client = await whoSays(() => value);
    const { transport } = client;
    const passOn = transport?.onmessage;
    if (transport)
      transport.onmessage = (message: { id?: unknown; method?: unknown }, ...more) => {
        if (message.method === 'elicitation/create') sent.push({ id: String(message.id) });
        passOn?.(message as Parameters<NonNullable<typeof passOn>>[0], ...more);
      };
    const left = await ask(client, { ...question, wait_seconds: 1 });
    const id = sent[0]?.id ?? '';
    const reply = async (key: string, replyId: unknown, result: object) => {
      const response = await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: replyId, result }),
      });
      return response.status;
    };
    const said = { action: 'accept', content: { choice: 'staging' } };
    expect(await reply(await newKey('admin'), id, said)).toBe(400);
    expect(await reply(await newKey('agent'), id, said)).toBe(400);
    expect(await reply(adminKey, `${id}x`, said)).toBe(400);
    expect(await reply(adminKey, 1, said)).toBe(400);
    expect((await read(left.interaction_id)).status).toBe('pending');
    expect(await reply(adminKey, id, { action: 'cancel' })).toBe(202);
    expect(await reply(adminKey, id, said)).toBe(400);
    expect((await read(left.interaction_id)).status).toBe('pending');
    settle({ action: 'cancel' });
  });
});

test('[AH13] a call that waits says so at once and every few seconds, to a client that wants to hear it', async () => {
  await using client = await connectMcp(server.url, legacy('2025-06-18'));
  const heard: { progress: number; message?: string | undefined }[] = [];
  const call = client.callTool(
    { name: 'ask_human', arguments: { ...question, wait_seconds: 6 } },
    { onprogress: (progress) => heard.push(progress) },
  );
  await call;
  expect(heard).toHaveLength(2);
  const [first, second] = heard;
  expect(second?.progress).toBeGreaterThan(first?.progress ?? 0);
  expect(first?.message).toBe('Waiting for a person to answer.');
  await expect.poll(() => waitersAt(server)).toBe(0);
});

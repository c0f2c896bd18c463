/** ask_human with a client of 2026-07-28 that shows forms: the question is asked in the client, and everywhere else as well. */
import type { Interaction } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestServer } from '../test-server.ts';
import {
  type AskResult,
  ask,
  type Back,
  connectMcp,
  firstRound,
  modern,
  nextRound,
  powers,
  waitOn,
} from './mcp-client.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

const question = { title: 'Where to?', options: ['staging', 'production'] };
const said = { action: 'accept', content: { choice: 'staging' } };
const stateRefused = { code: -32_602, message: 'Invalid or expired requestState' };

const newKey = async (role: string) =>
  (await server.admin.post<{ secret: string }>('/v1/keys', { name: 'another', role })).body.secret;
const read = async (id: string) => (await server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;
const shows = () => connectMcp(server.url, { ...modern, capabilities: powers.form });
const resultOf = (result: unknown) => (result as { structuredContent: AskResult }).structuredContent;
const idIn = (state: string): string =>
  JSON.parse(Buffer.from(state.split('.')[0] ?? '', 'base64url').toString()).interactionId;

/** A client whose user says the same to whatever is asked. */
async function whoSays(...answers: object[]) {
  const client = await shows();
  const seen: { message: string; requestedSchema: object }[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    seen.push(params as (typeof seen)[number]);
    return (answers.length > 1 ? answers.shift() : answers[0]) as { action: 'accept' };
  });
  return Object.assign(client, { seen });
}

describe('what the person says', () => {
  test('[AH1] [AH3] accepted, it is the answer, given to exactly what was shown', async () => {
    await using client = await whoSays({ action: 'accept', content: { env: 'staging', count: 3, sure: true } });
    const answered = await ask(client, {
      title: 'Deploy?',
      body: 'Nothing else runs.',
      fields: [
        { name: 'env', type: 'select', label: 'Where', required: true, options: ['staging', 'production'] },
        { name: 'count', type: 'number', integer: true, min: 1, max: 5 },
        { name: 'sure', type: 'confirm' },
      ],
    });
    expect(client.seen).toMatchObject([
      {
        message: 'Deploy?\n\nNothing else runs.',
        requestedSchema: {
          properties: {
            env: { type: 'string', title: 'Where', oneOf: [{ const: 'staging' }, { const: 'production' }] },
            count: { type: 'integer', minimum: 1, maximum: 5 },
            sure: { type: 'boolean' },
          },
          required: ['env'],
        },
      },
    ]);
    expect(answered).toMatchObject({
      status: 'answered',
      values: { env: 'staging', count: 3, sure: true },
      answered_by: { type: 'human', id: 'key:admin' },
    });
    const { answer, digest } = await read(answered.interaction_id);
    expect(answer?.digest).toBe(digest);
  });

  test('[AH3] declined, the question is declined; cancelled, it stays open, with a handle to wait on', async () => {
    await using client = await whoSays({ action: 'decline' }, { action: 'cancel' });
    expect(await ask(client, question)).toMatchObject({ status: 'declined' });
    const left = await ask(client, question);
    expect(left).toMatchObject({ status: 'pending' });
    await server.admin.post(`/v1/interactions/${left.interaction_id}/answers`, { values: { choice: 'production' } });
    expect(await waitOn(client, left.interaction_id)).toMatchObject({
      status: 'answered',
      values: { choice: 'production' },
    });
  });

  test('[AH3] an argument whose line was emptied is taken away, and not approved as proposed', async () => {
    await using client = await whoSays({ action: 'accept', content: { decision: 'allow', cc: '' } });
    const cc = { name: 'cc', type: 'text', required: false };
    const sent = { to: 'ann', cc: 'boss' };
    const { values } = await ask(client, { title: 'Send?', kind: 'approval', arguments: sent, fields: [cc] });
    expect(values).toEqual({ decision: 'allow' });
  });

  test('[AH3] what does not fit is asked again, with the reason', async () => {
    const wrong = { action: 'accept', content: { mail: 'nowhere@example.com' } };
    await using client = await whoSays(wrong, { action: 'accept', content: { mail: 'ana@holdpoint.example' } });
    const fields = [{ name: 'mail', type: 'email', required: true, pattern: '^.*@holdpoint\\.example$' }];
    expect(await ask(client, { title: 'Your address?', fields })).toMatchObject({
      status: 'answered',
      values: { mail: 'ana@holdpoint.example' },
    });
    expect(client.seen).toHaveLength(2);
    expect(client.seen[1]?.message).toMatch(/mail.*\n\nYour address\?/s);
  });

  test('[AH3] an approval that is rejected is declined', async () => {
    await using client = await whoSays({ action: 'accept', content: { decision: 'deny' } });
    const input = { kind: 'approval', title: 'Delete it?', arguments: { table: 'users' } };
    expect(await ask(client, input)).toMatchObject({ status: 'declined', values: { decision: 'deny' } });
    expect(client.seen[0]?.message).toContain('"table": "users"');
  });
});

describe('the question is durable all along', () => {
  test('[AH1] the first answer wins: the client gets the answer of the other responder', async () => {
    await using client = await shows();
    const { requestState } = await firstRound(client, question);
    const id = idIn(requestState);
    const pending = await server.admin.get<{ data: { id: string }[] }>('/v1/interactions?status=pending');
    expect(pending.body.data.map((each) => each.id)).toContain(id);
    await server.admin.post(`/v1/interactions/${id}/answers`, { values: { choice: 'production' } });
    expect(resultOf(await nextRound(client, { input: question, requestState, said }))).toMatchObject({
      status: 'answered',
      values: { choice: 'production' },
    });
  });

  test('[AH1] expired or cancelled meanwhile is the result', async () => {
    await using client = await shows();
    const withdrawn = await firstRound(client, question);
    await server.admin.post(`/v1/interactions/${idIn(withdrawn.requestState)}/cancel`, { reason: 'no longer needed' });
    expect(resultOf(await nextRound(client, { ...withdrawn, input: question, said }))).toMatchObject({
      status: 'cancelled',
      reason: 'no longer needed',
    });
    const input = { ...question, expires_at: new Date(server.clock.now() + 60_000).toISOString() };
    const late = await firstRound(client, input);
    server.clock.offsetMs += 120_000;
    const id = idIn(late.requestState);
    await expect.poll(async () => (await read(id)).status).toBe('expired');
    expect(resultOf(await nextRound(client, { ...late, input, said }))).toMatchObject({ status: 'expired' });
  });

  test('[AH4] the rounds go on after a restart of the server', async () => {
    await using before = await shows();
    const { requestState } = await firstRound(before, question);
    await server.restart();
    await using after = await shows();
    expect(resultOf(await nextRound(after, { input: question, requestState, said }))).toMatchObject({
      status: 'answered',
      values: { choice: 'staging' },
    });
  });

  test('[AH3] a question that has changed since it was shown is shown again', async () => {
    await using client = await shows();
    const { requestState } = await firstRound(client, question);
    const id = idIn(requestState);
    await server.admin.call(`/v1/interactions/${id}`, { method: 'PATCH', body: { title: 'Where to, really?' } });
    const again = (await nextRound(client, { input: question, requestState, said })) as Awaited<
      ReturnType<typeof firstRound>
    >;
    expect(again.inputRequests.answer?.params.message).toMatch(/has changed.*Where to, really\?/s);
    expect((await read(id)).status).toBe('pending');
    expect(resultOf(await nextRound(client, { ...again, input: question, said }))).toMatchObject({
      status: 'answered',
    });
  });
});

describe('the state of a call', () => {
  /** A client with this key comes with it, and is refused; the question is as it was. */
  async function isRefused(back: Back, key?: string) {
    await using client = await connectMcp(server.url, { ...modern, capabilities: powers.form }, key);
    await expect(nextRound(client, back)).rejects.toMatchObject(stateRefused);
  }

  test('[AH4] is good for once: also where the question stayed open', async () => {
    await using client = await shows();
    const { requestState } = await firstRound(client, question);
    const cancelled = { input: question, requestState, said: { action: 'cancel' } };
    expect(resultOf(await nextRound(client, cancelled))).toMatchObject({ status: 'pending' });
    await isRefused({ ...cancelled, said });
    expect((await read(idIn(requestState))).status).toBe('pending');
    const other = await firstRound(client, question);
    await nextRound(client, { ...other, input: question, said });
    await isRefused({ ...other, input: question, said });
  });

  test('[AH4] used by many at once, it is used by one', async () => {
    await using client = await shows();
    const { requestState } = await firstRound(client, question);
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, () => nextRound(client, { input: question, requestState, said })),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await read(idIn(requestState))).votes).toHaveLength(1);
  });

  test('[AH4] forged, cut, or put together from two, it is refused', async () => {
    await using client = await shows();
    const { requestState } = await firstRound(client, question);
    const other = await firstRound(client, question);
    const [body = '', signature = ''] = requestState.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, expiresAt: claims.expiresAt + 1 })).toString('base64url');
    for (const state of [
      `${forged}.${signature}`,
      body,
      `${body}.`,
      `${body}.${other.requestState.split('.')[1]}`,
      '',
      '.',
    ])
      await isRefused({ input: question, requestState: state, said });
    expect((await read(idIn(requestState))).status).toBe('pending');
  });

  test('[AH4] of another key or of another org, it is refused', async () => {
    await using client = await shows();
    const { requestState } = await firstRound(client, question);
    const back = { input: question, requestState, said };
    await isRefused(back, await newKey('admin'));
    const org = await server.admin.post<{ adminKey: { secret: string } }>('/v1/orgs', { id: 'another-org' });
    await isRefused(back, org.body.adminKey.secret);
    expect((await read(idIn(requestState))).status).toBe('pending');
    expect(resultOf(await nextRound(client, back))).toMatchObject({ status: 'answered' });
  });

  test('[AH4] too old, it is refused', async () => {
    await using client = await shows();
    const { requestState } = await firstRound(client, question);
    server.clock.offsetMs += 3_600_000;
    await isRefused({ input: question, requestState, said });
    expect((await read(idIn(requestState))).status).toBe('pending');
  });
});

describe('whose answer it is', () => {
  test('[AH5] with the key of an agent nobody is asked in the client what only a person may answer', async () => {
    const key = await newKey('agent');
    await using client = await connectMcp(server.url, { ...modern, capabilities: powers.form }, key);
    expect(await ask(client, { ...question, wait_seconds: 0 })).toMatchObject({ status: 'pending' });
  });

  test('[AH5] what anybody may answer is answered in its name, as an agent', async () => {
    const key = await newKey('agent');
    await using client = await connectMcp(server.url, { ...modern, capabilities: powers.form }, key);
    const input = { ...question, responder: 'any' };
    const { requestState } = await firstRound(client, input);
    expect(resultOf(await nextRound(client, { input, requestState, said }))).toMatchObject({
      status: 'answered',
      answered_by: { type: 'agent' },
    });
  });

  test('[AH5] an admin key answers for the one person who was asked, and for no one of several', async () => {
    await using client = await whoSays(said);
    expect(await ask(client, { ...question, assignees: ['ana'] })).toMatchObject({
      answered_by: { type: 'human', id: 'ana' },
    });
    expect(await ask(client, { ...question, assignees: ['ana', 'bo'], wait_seconds: 0 })).toMatchObject({
      status: 'pending',
    });
  });
});

/**
 * Every way to answer a question for a human, tried with an agent key. Each call is then made again by an allowed caller,
 * and succeeds, so that it was not refused for being malformed.
 */
import { agent } from '@holdpoint/agents';
import { approval, type CreatedApiKey, type Interaction, type ResponderToken, text } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { pendingOf, settled, startThread } from './agents/agent-client.ts';
import type { Client, Reply } from './client.ts';
import { api, type Reply as BlocksReply, origin } from './dialects/blocks-client.ts';
import { connectMcp, firstRound, modern, nextRound, powers } from './mcp/mcp-client.ts';
import { startTestServer } from './test-server.ts';

// With an argument that may be edited, which a yes or no leaves as it is.
const asks = approval({ title: 'Pay?', arguments: { to: 'Bob' }, fields: { to: text() } });
const approver = agent('approver', async (ctx) => (await ctx.ask(asks)).status);
const server = await startTestServer({ internals: { agents: [approver] }, responderRateLimit: 0, sessionRateLimit: 0 });
afterAll(() => server[Symbol.asyncDispose]());
const { admin } = server;

const newKey = async (body: object) => (await admin.post<CreatedApiKey>('/v1/keys', { name: 'a key', ...body })).body;
const agentKey = await newKey({ role: 'agent' });
const agentClient = admin.as(agentKey.secret);
const publicKey = (await newKey({ role: 'public', public: { agent: approver.name, allowedOrigins: ['*'] } })).publicKey;

const read = async ({ id }: Pick<Interaction, 'id'>) => (await admin.get<Interaction>(`/v1/interactions/${id}`)).body;
const allow = { decision: 'allow' };

/** Asked by the agent itself, whose key then tries to answer. */
async function askAsAgent(more: object = {}): Promise<Interaction> {
  const { body: thread } = await agentClient.post<{ id: string }>('/v1/threads');
  const run = { id: `run-${thread.id}`, toolCallId: 'call-1' };
  const question = { ...approval({ title: 'Pay?' }), run, ...more };
  return (await agentClient.post<Interaction>(`/v1/threads/${thread.id}/interactions`, question)).body;
}

/** Asked by an agent whose run waits for it. */
async function askInRun(): Promise<Interaction> {
  const threadId = await startThread(admin, approver.name);
  await settled(admin, threadId);
  const [asked] = await pendingOf(admin, threadId);
  return asked ?? expect.fail('nothing was asked');
}

type Send = (client: Client, asked: Interaction) => Promise<Reply>;
const posted =
  (path: (asked: Interaction) => string, body: object): Send =>
  (client, asked) =>
    client.post(path(asked), body);

const native = ({ id }: Interaction) => `/v1/interactions/${id}`;
const request = ({ id }: Interaction) => `/api/v1/requests/${id}`;
const spec = ({ id }: Interaction) => `/spec/v1/interactions/${id}`;
const messages = ({ threadId }: Interaction) => `/api/v1/chats/${threadId}/messages`;
const ann = { type: 'human', id: 'ann' };
const itself = { type: 'human', id: agentKey.id };

const calls: Record<string, Send> = {
  'native answer': posted((asked) => `${native(asked)}/answers`, { values: allow }),
  'native answer for a person': posted((asked) => `${native(asked)}/answers`, { values: allow, responder: ann }),
  'native answer as a human of its own name': posted((asked) => `${native(asked)}/answers`, {
    values: allow,
    responder: itself,
  }),
  'native decline': posted((asked) => `${native(asked)}/decline`, {}),
  'native decline for a person': posted((asked) => `${native(asked)}/decline`, { responder: ann }),
  'chat-requests resolve': posted((asked) => `${request(asked)}/resolve`, { selectedOptionIds: ['allow'] }),
  'chat-requests resolve by user': posted((asked) => `${request(asked)}/resolve`, {
    selectedOptionIds: ['allow'],
    resolvedBy: 'user',
  }),
  'chat-requests decline': posted((asked) => `${request(asked)}/decline`, {}),
  'input-requests response': posted(({ id, threadId }) => `/conversations/${threadId}/input-requests/${id}/responses`, {
    values: allow,
  }),
  'input-requests resume': posted(({ run }) => `/runs/${run?.id}/resume`, {
    type: 'tool_result',
    tool_call_id: 'call-1',
    result: allow,
  }),
  'input-requests resume with an error': posted(({ run }) => `/runs/${run?.id}/resume`, {
    type: 'tool_result',
    tool_call_id: 'call-1',
    is_error: true,
  }),
  'agent-service accept': posted((asked) => `${spec(asked)}/respond`, { decision: 'accepted' }),
  'agent-service option': posted((asked) => `${spec(asked)}/respond`, { selectedOptionId: 'allow' }),
  'agent-service for a person': posted((asked) => `${spec(asked)}/respond`, {
    decision: 'accepted',
    submittedBy: 'ann',
  }),
  'agent-service decline': posted((asked) => `${spec(asked)}/respond`, { decision: 'declined' }),
};

const turns: Record<string, Send> = {
  'assistant, by its words': posted(messages, { message: 'Allow' }),
  'assistant, by a yes': posted(messages, { message: 'Sounds good, do it' }),
  'assistant, by an option': posted(messages, { selectedOptionId: 'allow' }),
  'assistant, by values': posted(messages, { values: allow }),
};

const every = [
  ...Object.entries(calls).map(([name, send]) => [name, askAsAgent, send] as const),
  ...Object.entries(turns).map(([name, send]) => [name, askInRun, send] as const),
];

test.each(every)('[X20] %s is refused an agent key', async (_name, ask, send) => {
  const asked = await ask();
  const refused = await send(agentClient, asked);
  expect(refused).toMatchObject({ status: 403 });
  expect(await read(asked)).toEqual(asked);
  const { status } = await send(admin, asked);
  expect([200, 201]).toContain(status);
  expect(await read(asked)).toMatchObject({ status: 'answered', answer: { by: { type: 'human' } } });
});

describe('MCP', () => {
  const said = { action: 'accept', content: allow };
  const input = { title: 'Pay?', kind: 'approval', wait_seconds: 0 };
  const connect = (key: string | undefined, capabilities: object = {}, path = '/mcp') =>
    connectMcp(server.url, { ...modern, capabilities }, key, { path });

  test('[X20] submit_input_request_response is refused an agent key', async () => {
    const asked = await askAsAgent();
    const { id: input_request_id, threadId: conversation_id } = asked;
    const submit = async (key: string | undefined) => {
      await using client = await connect(key, {}, '/mcp?tools=input-requests');
      const place = { conversation_id, input_request_id };
      return await client.callTool({ name: 'submit_input_request_response', arguments: { ...place, values: allow } });
    };
    const refused = await submit(agentKey.secret);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('wrong-responder');
    expect(await read(asked)).toEqual(asked);
    expect((await submit(admin.token)).isError).toBeFalsy();
    expect(await read(asked)).toMatchObject({ status: 'answered' });
  });

  test('[X20] ask_human shows an agent key no form, and takes no state of another key from it', async () => {
    await using own = await connect(agentKey.secret, powers.form);
    expect(await firstRound(own, input)).toMatchObject({ structuredContent: { status: 'pending' } });
    await using other = await connect(admin.token, powers.form);
    const { requestState } = await firstRound(other, input);
    const [body = ''] = requestState.split('.');
    const id = JSON.parse(Buffer.from(body, 'base64url').toString()).interactionId as string;
    await expect(nextRound(own, { input, requestState, said })).rejects.toThrow('requestState');
    expect(await read({ id })).toMatchObject({ status: 'pending', votes: [] });
    const answered = await nextRound(other, { input, requestState, said });
    expect(answered).toMatchObject({ structuredContent: { status: 'answered', approved: true } });
  });

  test('[X20] ask_human gives an agent key no address that answers', async () => {
    const assignees = ['ann'];
    const addressFor = async (key: string | undefined) => {
      await using client = await connect(key, powers.url);
      return (await firstRound(client, { ...input, assignees })).inputRequests.answer?.params.url;
    };
    expect(await addressFor(agentKey.secret)).toContain('/#/inbox/');
    expect(await addressFor(admin.token)).toContain('/a/#hpr_');
  });
});

describe('blocks', () => {
  const open = async () => {
    const { body } = await admin
      .as(undefined)
      .post<{ sessionToken: string }>(`${api}/sessions`, { publicKey }, { origin });
    return admin.as(body.sessionToken);
  };

  test('[X20] a resume is refused an agent key, and a session that is not of this conversation', async () => {
    const person = await open();
    const { body } = await person.post<{ reply: BlocksReply }>(`${api}/messages`, { text: 'Go' });
    const { waitToken, executionId } = body.reply;
    const id = waitToken?.replace('question.', '') ?? '';
    const resume = (client: Client) => client.post(`${api}/messages`, { waitToken, executionId, values: allow });
    expect((await resume(agentClient)).status).toBe(401);
    expect([404, 409]).toContain((await resume(await open())).status);
    expect(await read({ id })).toMatchObject({ status: 'pending', votes: [] });
    expect((await resume(person)).status).toBe(200);
    expect(await read({ id })).toMatchObject({ status: 'answered', answer: { by: { type: 'human' } } });
  });
});

describe('the means to answer', () => {
  test('[X20] no responder token is minted for an agent key', async () => {
    const asked = await askAsAgent();
    const { id: interactionId, threadId } = asked;
    for (const reach of [{ interactionId }, { threadId }, { inbox: true }]) {
      const mint = (client: Client) =>
        client.post<ResponderToken>('/v1/responder-tokens', { responderId: 'ann', ...reach });
      expect((await mint(agentClient)).status).toBe(403);
      expect((await mint(admin)).status).toBe(201);
    }
  });

  test.each([
    ['an admin key', { role: 'admin' }],
    ['a public key', { role: 'public', public: { agent: approver.name, allowedOrigins: ['*'] } }],
  ])('[X20] %s is not made for an agent key', async (_what, body) => {
    const make = (client: Client) => client.post('/v1/keys', { name: 'more', ...body });
    expect((await make(agentClient)).status).toBe(403);
    expect((await make(admin)).status).toBe(201);
  });

  test('[X20] an agent key does not sign in to the console', async () => {
    const headers = { 'x-holdpoint-console': '1' };
    const signIn = (body: object) => admin.as(undefined).post('/console/session', body, headers);
    expect((await signIn({ key: agentKey.secret })).status).toBe(400);
    expect((await signIn({ link: agentKey.secret })).status).toBe(410);
    expect((await agentClient.post('/v1/sign-in-links', {})).status).toBe(403);
    expect((await agentClient.post('/v1/people', { name: 'Me', roles: ['admin'] })).status).toBe(403);
  });

  test('[X20] a grant that an agent key gave itself answers no question for a human', async () => {
    const options = [
      { value: 'always', label: 'Always', kind: 'allow_always' },
      { value: 'deny', label: 'Deny', kind: 'reject_once' },
    ];
    const grant = { key: 'pay', scope: 'org' };
    const own = await askAsAgent({
      ...approval({ title: 'Pay?' }),
      fields: [],
      options,
      grant,
      responder: { type: 'agent' },
    });
    const answer = (client: Client, { id }: Interaction) =>
      client.post(`/v1/interactions/${id}/answers`, { values: { decision: 'always' } });
    expect((await answer(agentClient, own)).status).toBe(200);
    const asked = await askAsAgent({ fields: [], options, grant });
    expect(asked).toMatchObject({ status: 'pending' });
    expect((await answer(admin, asked)).status).toBe(200);
    expect(await askAsAgent({ fields: [], options, grant })).toMatchObject({ answer: { automatic: 'grant' } });
  });
});

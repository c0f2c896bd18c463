/** MCP clients of people: the official SDK finds the provider, gets a token from it, and acts as the person. */
import type { Interaction, Person } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { accessTokenFor } from '../oidc/access-token.ts';
import { HttpBrowser } from '../oidc/http-browser.ts';
import { startIdentityProvider } from '../oidc/identity-provider.ts';
import { connect, meOf, signInAt, startOf } from '../oidc/sign-in-of-a-test.ts';
import { startTestServer } from '../test-server.ts';
import {
  type AskResult,
  ask,
  connectMcp,
  firstRound,
  legacy,
  modern,
  nextRound,
  powers,
  waitOn,
} from './mcp-client.ts';
import { connectByOAuth, memory, oauthSdks } from './oauth-client.ts';

const server = await startTestServer();
const idp = await startIdentityProvider();
afterAll(() => Promise.all([server, idp].map((each) => each[Symbol.asyncDispose]())));
const settings = { roleClaim: 'roles', roles: { boss: 'admin', audit: 'auditor' } };
await connect(server, idp, { signUp: true, allowedDomains: ['*'], mcpTokens: 'jwt', ...settings });

const resource = `${server.url}/mcp`;
const question = { title: 'Where to?', options: ['staging', 'production'] };
const approval = { title: 'Deploy?', kind: 'approval', arguments: { to: 'production' } };

/** Signs a user in at the console, which creates the person. */
async function joined(user: string, roles: string[] = []): Promise<{ person: Person; token: string }> {
  idp.users.set(user, { email: `${user}@acme.example`, email_verified: true, name: user, roles });
  const browser = new HttpBrowser();
  await signInAt(browser, startOf(server), { user });
  const me = await meOf(browser, server);
  return { person: me?.person as Person, token: await accessTokenFor(idp, { user, resource }) };
}

const [ada, ben] = [await joined('ada'), await joined('ben')];
const client = (token: string, path = '/mcp') => connectMcp(server.url, modern, token, { path });
const read = async (id: string) => (await server.admin.get<Interaction>(`/v1/interactions/${id}`)).body;
const pending = { wait_seconds: 0 };
const withSets = '/mcp?tools=ask,input-requests';

interface Place {
  id?: string;
  threadId?: string;
  [argument: string]: unknown;
}

/** Calls a tool of input requests, and returns its result or the code of its error. */
async function tool(token: string, name: string, { id, threadId, ...more }: Place) {
  await using connected = await client(token, withSets);
  const input = { conversation_id: threadId, input_request_id: id, ...more };
  const result = await connected.callTool({ name, arguments: input });
  const [{ text } = { text: '' }] = result.content as { text: string }[];
  return JSON.parse(text) as { error?: { code: string; message: string }; input_request?: object; data?: object[] };
}

describe('the client gets its token from the provider', () => {
  test.each(oauthSdks)('[PE160] [PE164] the SDK %s, which registers itself', async (_name, load, options) => {
    const provider = memory();
    await using connected = await connectByOAuth(resource, { load, options, user: 'ada', provider });
    expect(provider.saved.at?.searchParams.get('resource')).toBe(resource);
    const asked = { ...question, ...pending, assignees: ['person:ben@acme.example'] };
    const result = (await connected.callTool({ name: 'ask_human', arguments: asked })) as {
      structuredContent: AskResult;
    };
    const { createdBy, responder } = await read(result.structuredContent.interaction_id);
    expect(createdBy).toEqual({ type: 'human', id: ada.person.id, via: 'mcp', name: 'ada' });
    expect(responder.assignees).toEqual([`person:${ben.person.id}`]);
  });

  test('[PE160] a client that an admin registered, for another set of tools', async () => {
    const redirect_uris = ['http://localhost:9/callback'];
    const given = { client_id: 'editor', token_endpoint_auth_method: 'none', application_type: 'native' };
    const { client: own } = idp;
    idp.register({ ...given, redirect_uris });
    idp.register(own);
    const [[, load, options]] = [oauthSdks[2]];
    const provider = memory({ client_id: 'editor', issuer: idp.issuer });
    await using connected = await connectByOAuth(server.url + withSets, { load, options, user: 'ben', provider });
    expect(provider.saved.at?.searchParams.get('client_id')).toBe('editor');
    const asked = await connected.callTool({ name: 'ask_human', arguments: { ...question, ...pending } });
    expect(asked).toMatchObject({ structuredContent: { status: 'pending' } });
  });
});

describe('it asks as the person', () => {
  test('[PE165] a member asks, waits, lists and cancels, in threads of their own alone', async () => {
    await using connected = await client(ada.token);
    const { interaction_id: id, thread_id } = await ask(connected, {
      ...{ ...question, ...pending, assignees: ['person:ben@acme.example'] },
    });
    expect(await waitOn(connected, id, 0)).toMatchObject({ status: 'pending' });
    const place = { id, threadId: thread_id };
    expect((await tool(ada.token, 'list_input_requests', { threadId: thread_id })).data).not.toEqual([]);
    const open = await tool(ada.token, 'list_input_requests', { threadId: thread_id, status: 'open' });
    expect(open.data).toContainEqual(expect.objectContaining({ id }));
    const ofOther = { error: { code: 'thread-not-found' } };
    const request = {
      ...{ threadId: thread_id, run_id: 'r', tool_call_id: 't', kind: 'form', requested_responder_type: 'human' },
      ...{ title: 'Which?', fields: [{ name: 'x', type: 'text', label: 'X' }] },
    };
    expect(await tool(ben.token, 'list_input_requests', { threadId: thread_id })).toMatchObject(ofOther);
    expect(await tool(ben.token, 'create_input_request', request)).toMatchObject(ofOther);
    expect(await tool(ada.token, 'create_input_request', request)).toMatchObject({ title: 'Which?' });
    await using other = await client(ben.token);
    await expect(ask(other, { ...question, thread_id })).rejects.toThrow('thread-not-found');
    expect(await tool(ben.token, 'cancel_input_request', place)).toMatchObject({ error: { code: 'forbidden' } });
    expect(await read(id)).toMatchObject({ status: 'pending' });
    await tool(ada.token, 'cancel_input_request', place);
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
  });

  test('[PE165] a question for others stays hidden from the clients of other members', async () => {
    await using connected = await client(ada.token);
    const { interaction_id: id, thread_id: threadId } = await ask(connected, {
      ...{ ...question, ...pending, assignees: ['person:ada@acme.example'] },
    });
    expect(await tool(ben.token, 'get_input_request', { id, threadId })).toMatchObject({
      error: { code: 'interaction-not-found' },
    });
    expect(await tool(ada.token, 'get_input_request', { id, threadId })).toMatchObject({ id });
  });

  test('[PE165] an admin asks in every thread, and an auditor nothing', async () => {
    const [root, eve] = [await joined('root', ['boss']), await joined('eve', ['audit'])];
    const thread = (await server.admin.post<{ id: string }>('/v1/threads')).body;
    await using connected = await client(root.token);
    expect(await ask(connected, { ...question, ...pending, thread_id: thread.id })).toMatchObject({
      thread_id: thread.id,
    });
    await using auditor = await client(eve.token);
    await expect(ask(auditor, { ...question, ...pending })).rejects.toThrow('forbidden');
  });

  test('[PE166] notRequester excludes the person whose client asked', async () => {
    await using connected = await client(ada.token);
    const { thread_id } = await ask(connected, { ...question, ...pending });
    const { body } = await server.admin.post<Interaction>(`/v1/threads/${thread_id}/interactions`, {
      ...{ ...question, responder: { type: 'human', notRequester: true } },
    });
    const answer = { id: body.id, threadId: thread_id, values: { choice: 'staging' } };
    expect(await tool(ada.token, 'submit_input_request_response', answer)).toMatchObject({
      error: { code: 'not-requester' },
    });
    expect(await tool(ben.token, 'submit_input_request_response', answer)).toMatchObject({ success: true });
  });
});

describe('it answers as the person', () => {
  const create = async (asked: object) => {
    const { id: threadId } = (await server.admin.post<{ id: string }>('/v1/threads')).body;
    return (await server.admin.post<Interaction>(`/v1/threads/${threadId}/interactions`, asked)).body;
  };

  test('[PE167] a question for the person, under their name and as a client', async () => {
    const asked = await create({ ...question, responder: { type: 'human', assignees: ['person:ada@acme.example'] } });
    const answer = { ...asked, values: { choice: 'staging' } };
    const { id, threadId, values } = answer;
    expect(await tool(ben.token, 'submit_input_request_response', { id, threadId, values })).toMatchObject({
      error: { code: 'interaction-not-found' },
    });
    await tool(ada.token, 'submit_input_request_response', { id, threadId, values });
    expect((await read(id)).answer?.by).toEqual({ type: 'human', id: ada.person.id, via: 'mcp', name: 'ada' });
  });

  test.each([
    ['an approval', approval],
    [
      'a choice that allows something',
      { title: 'May I?', options: [{ value: 'yes', label: 'Yes', kind: 'allow_once' }, 'no'] },
    ],
    ['a question that needs a sign-in', { ...question, assurance: 'signed-in' }],
    ['a question that needs a passkey', { ...question, assurance: 'passkey' }],
  ])('[PE167] never %s', async (_name, given) => {
    const asked = await create(given);
    const [field] = asked.fields as unknown as [{ name: string; options: { value: string }[] }];
    const values = { [field.name]: field.options[0]?.value };
    const { id, threadId } = asked;
    const refused = await tool(ada.token, 'submit_input_request_response', { id, threadId, values });
    expect(refused).toMatchObject({ error: { code: 'assurance-needed', message: expect.stringContaining('inbox') } });
    expect(await read(id)).toMatchObject({ status: 'pending' });
  });

  test('[PE168] a form of the client is for questions that its person may answer there, and for no others', async () => {
    await using connected = await connectMcp(server.url, { ...modern, capabilities: powers.both }, ada.token);
    const modeOf = async (input: object) => {
      const { inputRequests } = await firstRound(connected, input);
      return inputRequests.answer?.params.url === undefined ? 'form' : 'page';
    };
    expect(await modeOf(question)).toBe('form');
    expect(await modeOf({ ...question, assignees: ['person:ada@acme.example'] })).toBe('form');
    expect(await modeOf({ ...question, assignees: ['person:ben@acme.example'] })).toBe('page');
    expect(await modeOf(approval)).toBe('page');
  });

  test('[PE168] the reply to a form is for the person for whose client it was made', async () => {
    const options = { ...modern, capabilities: powers.form };
    await using own = await connectMcp(server.url, options, ada.token);
    await using other = await connectMcp(server.url, options, ben.token);
    const said = { action: 'accept', content: { choice: 'staging' } };
    const { requestState } = await firstRound(own, question);
    await expect(nextRound(other, { input: question, requestState, said })).rejects.toThrow(/requestState/);
    expect(await nextRound(own, { input: question, requestState, said })).toMatchObject({
      structuredContent: { status: 'answered', answered_by: { id: ada.person.id } },
    });
  });

  test('[PE168] a session of one person gives another person nothing', async () => {
    const forms: string[] = [];
    const options = { ...legacy('2025-11-25'), capabilities: powers.form };
    const replies: { id: unknown; session: string | null }[] = [];
    const send: typeof fetch = async (url, init) => {
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
      const headers = new Headers(init?.headers);
      if (!('method' in body) && 'result' in body) {
        replies.push({ id: body.id, session: headers.get('mcp-session-id') });
        // Ben sends the reply first, with the session of Ada.
        headers.set('authorization', `Bearer ${ben.token}`);
        const stolen = await fetch(url, { ...init, headers });
        forms.push(String(stolen.status));
      }
      return fetch(url, init);
    };
    await using connected = await connectMcp(server.url, options, ada.token, { send });
    connected.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { choice: 'staging' } }));
    const answered = await ask(connected, question);
    expect(replies).toEqual([{ id: expect.any(String), session: expect.stringMatching(/^forms\./) }]);
    expect(forms).toEqual(['400']);
    expect((await read(answered.interaction_id)).answer?.by.id).toBe(ada.person.id);
  });
});

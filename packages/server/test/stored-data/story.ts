/** A little of everything that a server stores. Every call that can be repeated has a key. */
import { type PeopleStory, tellOfPeople } from './people-story.ts';
import { type Call, outcomeOf, type RecordedCall, send } from './recorded-calls.ts';

export const adminKey = 'test-admin-key';
export const hourMs = 3_600_000;

/** The ids with which a test continues. */
export interface Story {
  calls: RecordedCall[];
  ids: {
    /** Pending, for two of ann, bob and cy; ann has approved. */
    voted: string;
    /** Pending, declined by its deadline an hour later. */
    timed: string;
    /** Pending, for ann, with NUL and half a surrogate pair in its text. */
    odd: string;
    /** Pending, changed after it was asked. */
    changed: string;
    /** Pending, asked in a dialect. */
    inDialect: string;
    answered: string[];
    /** The thread of the agent whose run waits. */
    waiting: string;
    /** The grant that answers the next question with its key. */
    grant: string;
  };
  people?: PeopleStory;
}

const approval = { kind: 'approval', title: 'Delete the old backups?', arguments: { path: '/backups', days: 30 } };
const always = [
  { value: 'once', label: 'Allow', kind: 'allow_once' },
  { value: 'always', label: 'Always allow', kind: 'allow_always' },
  { value: 'no', label: 'Deny', kind: 'reject_once' },
];

/** Later versions ask it too, to see that the grant still answers. */
export const granted = { ...approval, options: always, grant: { key: 'rm', scope: 'org' } };

export async function tellStory(url: string): Promise<Story> {
  const calls: Call[] = [];
  let keys = 0;
  /** Makes a call and expects it to succeed. A call with a key, or with `again`, is repeated later. */
  async function call<T = { id: string }>(path: string, body: unknown, more: Partial<Call> & { again?: boolean } = {}) {
    const { again = true, ...rest } = more;
    const headers = { ...(again ? { 'idempotency-key': `key-${++keys}` } : {}), ...rest.headers };
    const made = { token: adminKey, path, body, ...rest, headers };
    const reply = await send(url, made);
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    if (again) calls.push(made);
    return reply.body as T;
  }
  const once = { again: false };
  const ask = (threadId: string, question: object, more: Partial<Call> = {}) =>
    call(`/v1/threads/${threadId}/interactions`, question, more);
  const answer = (id: string, body: object, more: Partial<Call> = {}) =>
    call(`/v1/interactions/${id}/answers`, body, more);

  // People.
  await call('/v1/groups', { id: 'ops', name: 'On call' });
  const { id: mia } = await call('/v1/people', {
    name: 'Mia',
    email: 'Mia@Example.com',
    roles: ['admin'],
    groups: ['ops'],
  });
  // Access.
  const { secret: agentKey } = await call<{ secret: string }>('/v1/keys', { name: 'worker', role: 'agent' });
  const unused = await call('/v1/keys', { name: 'unused', role: 'agent' });
  await call(`/v1/keys/${unused.id}/revoke`, {});
  const { publicKey } = await call<{ publicKey: string }>('/v1/keys', {
    ...{ name: 'a page', role: 'public' },
    public: { agent: 'deployer', allowedOrigins: ['*'] },
  });
  await call('/v1/orgs', { id: 'acme' });
  const agent = { token: agentKey };

  // Threads and messages. Keys that look like numbers have an order of their own in JavaScript.
  const metadata = { 10: 'ten', 9: 'nine', b: { z: 1, a: [1.5, null, true, 'Ä 🙂'] } };
  const { id: thread } = await call('/v1/threads', { title: 'Releases', metadata });
  await call(`/v1/threads/${thread}/messages`, { text: 'Hello', role: 'user' });
  const streamed = await call(`/v1/threads/${thread}/messages`, { streaming: true }, agent);
  await call(`/v1/messages/${streamed.id}/append`, { text: 'Half' }, { ...agent, ...once });
  await call(`/v1/messages/${streamed.id}/complete`, {}, agent);
  const dropped = await call(`/v1/threads/${thread}/messages`, { streaming: true }, agent);
  await call(`/v1/messages/${dropped.id}/cancel`, {}, agent);

  // Questions that stay open.
  await ask(thread, { title: 'Who?', responder: { type: 'human', assignees: [`person:${mia}`, 'group:ops'] } });
  const people = { type: 'human', assignees: ['ann', 'bob', 'cy'] };
  const forAnn = { type: 'human', assignees: ['ann'] };
  const { token: inbox } = await call<{ token: string }>('/v1/responder-tokens', {
    ...{ responderId: 'ann', inbox: true, ttlSeconds: 3_600 },
  });
  const { token: annsThread } = await call<{ token: string }>('/v1/responder-tokens', {
    ...{ responderId: 'ann', threadId: thread, ttlSeconds: 3_600 },
  });
  const ann = { token: annsThread };
  const quorum = { responder: people, resolution: { mode: 'quorum', count: 2 } };
  const voted = await ask(thread, { ...approval, ...quorum }, agent);
  await answer(voted.id, { values: { decision: 'allow' } }, ann);
  const timed = await ask(thread, {
    ...{ title: 'When?', options: ['now', 'tonight'], recommendations: { choice: 'tonight' } },
    deadline: { at: new Date(Date.now() + hourMs).toISOString(), outcome: 'decline', remindBeforeMs: [60_000] },
  });
  await ask(thread, { title: 'By callback?', callbackUrl: 'http://127.0.0.1:9/callback' }, agent);
  const odd = await ask(thread, { title: 'Odd \u0000 \ud83d text', responder: forAnn });
  const changed = await ask(thread, { title: 'Which regoin?', fields: [{ name: 'region', type: 'text' }] }, agent);
  const patch = { method: 'PATCH', ...once };
  await call(`/v1/interactions/${changed.id}`, { title: 'Which region?', body: 'For 4.2.' }, patch);
  await call(`/v1/interactions/${changed.id}/draft`, { values: { region: 'eu' } }, { ...ann, ...once });

  // Questions that are closed.
  const choice = await ask(thread, { title: 'Where?', options: ['eu', 'us'], responder: forAnn }, agent);
  await answer(choice.id, { values: { choice: 'eu' }, reason: 'It is near.' }, { token: inbox });
  const other = await ask(thread, { title: 'Who says so?', options: ['a', 'b'] });
  await answer(other.id, { values: { choice: 'a' }, responder: { type: 'human', id: 'zoe' } });
  const no = await ask(thread, { ...approval, metadata: { ticket: 7 } }, agent);
  await call(`/v1/interactions/${no.id}/decline`, { reason: 'Not today' }, ann);
  const gone = await ask(thread, { title: 'Never mind?' }, agent);
  await call(`/v1/interactions/${gone.id}/cancel`, { reason: 'Found it' }, agent);
  const secret = await ask(thread, { title: 'Token?', fields: [{ name: 'token', type: 'password' }] }, agent);
  await answer(secret.id, { values: { token: 'hunter2' } }, ann);
  await call(`/v1/interactions/${secret.id}/secrets`, {}, agent);
  const file = await ask(thread, { title: 'Report?', fields: [{ name: 'report', type: 'file_upload' }] }, agent);
  const headers = { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="report.txt"' };
  const upload = { ...ann, ...once, headers };
  const report = await call<object>(`/v1/interactions/${file.id}/uploads?field=report`, 'All is well.', upload);
  await answer(file.id, { values: { report } }, ann);
  const attached = await call(`/v1/threads/${thread}/files`, 'All of it.', { ...agent, ...once, headers });
  await call(`/v1/threads/${thread}/messages`, { text: 'Here it is.', files: [attached.id] }, agent);
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const payload = await ask(thread, { title: 'How many?', payloadSchema: schema }, agent);
  await answer(payload.id, { payload: { n: 3 } }, ann);

  // Grants.
  const allowed = await ask(thread, granted, agent);
  await answer(allowed.id, { values: { decision: 'always' } }, ann);
  await ask(thread, granted, agent);
  const passing = await ask(thread, { ...granted, grant: { key: 'mv', scope: 'thread' } }, agent);
  await answer(passing.id, { values: { decision: 'always' } }, ann);
  const grantOf = async (key: string) => {
    const { data } = await call<{ data: { id: string }[] }>(`/v1/grants?key=${key}`, undefined, {
      ...{ method: 'GET', ...once },
    });
    return data[0]?.id ?? '';
  };
  await call(`/v1/grants/${await grantOf('mv')}/revoke`, {});

  // Webhooks: nobody listens there, so their deliveries stay pending.
  const hook = await call('/v1/webhooks', {
    url: 'http://127.0.0.1:9/hook',
    events: ['interaction.cancelled'],
    headers: { 'x-team': 'ops' },
  });
  await call(`/v1/webhooks/${hook.id}/rotate-secret`, {});
  await call(`/v1/webhooks/${hook.id}/replay`, { since: new Date(0).toISOString() });

  // Dispatch and runs, done by hand.
  await call('/v1/dispatch', { debounceMs: 0, from: 'start' }, { method: 'PATCH', ...once });
  const worker = { workerId: 'w1' };
  const step = { call: 1, type: 'step', name: 'send', state: 'done', data: { id: 4 } };
  async function begin(title: string) {
    const made = await call('/v1/threads', { title, agent: 'helper' });
    await call(`/v1/threads/${made.id}/messages`, { text: 'Go', role: 'user' });
    const claimed = { ...worker, agents: ['helper'], waitMs: 30_000, leaseMs: 60_000 };
    const { data } = await call<{ data: { id: string }[] }>('/v1/dispatch/claim', claimed, { ...agent, ...once });
    const batch = `/v1/dispatch/batches/${data[0]?.id}`;
    const { run } = await call<{ run: { id: string; version: number } }>(`${batch}/run`, worker, { ...agent, ...once });
    const advance = (more: object) =>
      call(
        `/v1/runs/${run.id}/advance`,
        { expectedVersion: run.version, entries: [step], ...more },
        { ...agent, ...once },
      );
    return { batch, run, advance };
  }
  const whole = await begin('Completed');
  await whole.advance({ status: 'completed' });
  await call(`${whole.batch}/complete`, worker, agent);
  const broken = await begin('Failed');
  await broken.advance({ status: 'failed', error: { code: 'broken', message: 'It broke' } });
  await call(`${broken.batch}/fail`, { ...worker, reason: 'It broke', retryable: false }, agent);
  await call(`/v1/runs/${broken.run.id}/restart`, {});
  const halted = await begin('Cancelled');
  await call(`/v1/runs/${halted.run.id}/cancel`, { reason: 'Enough' });

  // A durable agent, which the server runs: it waits for an answer.
  const { id: waiting } = await call('/v1/threads', { title: 'Deployment', agent: 'deployer' });
  await call(`/v1/threads/${waiting}/messages`, { text: 'Deploy', role: 'user' });
  const settled = { method: 'GET', ...once };
  await call(`/v1/threads/${waiting}/turn?timeoutMs=30000`, undefined, settled);

  // Dialects.
  const chat = await call('/api/v1/chats', { agentIds: ['bot'], modelId: 'm', firstMessage: 'Hi' });
  const yesOrNo = [
    { id: 'yes', label: 'Yes' },
    { id: 'no', label: 'No' },
  ];
  const requests = `/api/v1/chats/${chat.id}/requests`;
  const inChat = (title: string) => call(requests, { type: 'choice', title, config: { options: yesOrNo } });
  const open = await inChat('Ship?');
  const resolved = await inChat('Deploy?');
  await call(`/api/v1/requests/${resolved.id}/resolve`, { selectedOptionIds: ['yes'] });
  const declined = await inChat('Really?');
  await call(`/api/v1/requests/${declined.id}/decline`, { reason: 'No' });
  const withdrawn = await inChat('Still?');
  await call(`/api/v1/requests/${withdrawn.id}/cancel`, {});
  await call(`/api/v1/chats/${chat.id}/messages`, { role: 'agent', senderId: 'bot', content: 'Done' });

  const spec = { runId: 'run-1', attemptId: '1', kind: 'approval', prompt: { title: 'Deploy?' } };
  const specified = await call<{ data: { interactionId: string } }>('/spec/v1/interactions', spec);
  const ofSpec = `/spec/v1/interactions/${specified.data.interactionId}`;
  await call(`${ofSpec}/respond`, { decision: 'accepted', selectedOptionId: 'allow', submittedBy: 'ann' });
  const second = await call<{ data: { interactionId: string } }>('/spec/v1/interactions', { ...spec, attemptId: '2' });
  await call(`/spec/v1/interactions/${second.data.interactionId}/cancel`, {});

  const conversation = await call('/conversations', { title: 'Input' });
  const inputs = `/conversations/${conversation.id}/input-requests`;
  const input = (tool_call_id: string) =>
    call(inputs, {
      ...{ run_id: 'run-9', tool_call_id, requested_responder_type: 'human', title: 'Version?' },
      fields: [{ name: 'version', type: 'text', label: 'Version', required: true }],
    });
  const submitted = await input('one');
  await call(`${inputs}/${submitted.id}/responses`, { values: { version: '4.2' } });
  const undone = await input('two');
  await call(`${inputs}/${undone.id}/cancel`, {});
  await input('three');
  await call('/runs/run-9/resume', { type: 'tool_result', tool_call_id: 'three', result: { version: '4.3' } });

  const mcp = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  const asking = { title: 'Over MCP?', options: ['yes', 'no'], idempotency_key: 'mcp-1', wait_seconds: 0 };
  const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask_human', arguments: asking } };
  await call('/mcp', tool, { headers: mcp });

  const session = await call<{ sessionToken: string }>('/api/public/v1/chat/sessions', { publicKey }, once);
  await call('/api/public/v1/chat/messages', { text: 'Deploy', context: { page: 1 } }, { token: session.sessionToken });
  const assisted = await call('/v1/threads', { title: 'Assisted', agent: 'deployer' });
  await call(`/api/v1/chats/${assisted.id}/messages`, { message: 'Deploy it' });

  const everybody = await tellOfPeople({ url, thread, call });

  const grant = await grantOf('rm');
  const repeated: RecordedCall[] = [];
  for (const each of calls) repeated.push({ ...each, repeated: outcomeOf(await send(url, each)) });
  const answered = [choice, other, payload, file, allowed, resolved, submitted].map(({ id }) => id);
  const ids = { voted: voted.id, timed: timed.id, odd: odd.id, changed: changed.id, inDialect: open.id };
  return { calls: repeated, ids: { ...ids, answered, waiting, grant }, people: everybody };
}

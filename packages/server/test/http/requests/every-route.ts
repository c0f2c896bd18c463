/** Calls of every route of the table, made from the table, so that a new route is covered before anybody thinks of it. */
import {
  type Batch,
  type BegunRun,
  type Delivery,
  type FileRef,
  type Grant,
  type Group,
  type IdentityProvider,
  type Interaction,
  type InvitedPerson,
  limits,
  type Message,
  type Page,
  type PersonSession,
} from '@holdpoint/protocol';
import { documentedRoutes } from '../../../src/http/docs/reference.ts';
import { signInWith, tokenOf } from '../access/console-caller.ts';
import type { SpecClient } from '../openapi/spec-server.ts';
import { registerAtLocalhost } from '../people/software-authenticator.ts';

export interface Things {
  threadId: string;
  /** One that is being streamed. */
  messageId: string;
  interactionId: string;
  grantId: string;
  keyId: string;
  batchId: string;
  /** In the same thread. */
  fileId: string;
  /** One that is running. */
  runId: string;
  webhookId: string;
  deliveryId: string;
  /** One who has signed in. */
  personId: string;
  sessionId: string;
  /** One of this person. */
  passkeyId: string;
  groupId: string;
  providerId: string;
}

export interface RouteCall {
  method: string;
  /** As in the table, with its parameters' names. */
  route: string;
  path: string;
  body?: unknown;
  /** The parameters in the path. */
  names: (keyof Things)[];
  /** Its body may be anything. */
  takesFile: boolean;
}

const fields = [
  { name: 'choice', type: 'select', options: ['yes', 'no'] },
  { name: 'photo', type: 'file_upload', required: false },
];

/** One of everything that a path can name. */
export async function makeThings(client: SpecClient): Promise<Things> {
  const options = [
    { value: 'always', label: 'Always', kind: 'allow_always' },
    { value: 'no', label: 'No', kind: 'reject_once' },
  ];
  const { id: threadId } = await client.newThread();
  const asked = await client.ask({ kind: 'approval', options, grant: { key: 'k', scope: 'thread' } }, threadId);
  await client.answer(asked.id, { decision: 'always' });
  const { body } = await client.get<Page<Grant>>('/v1/grants?key=k&limit=1');
  const callbackUrl = 'http://127.0.0.1:9/';
  const interaction: Interaction = await client.ask({ options: undefined, fields, callbackUrl }, threadId);
  const uploads = `/v1/interactions/${interaction.id}/uploads?field=photo`;
  const { file_id: fileId } = await client.made<FileRef>(uploads, { a: 1 });
  const { keyId } = await client.withKey();
  await client.patch(`/v1/threads/${threadId}/dispatch`, { mode: 'immediate' });
  await client.made(`/v1/threads/${threadId}/messages`, { text: 'Hello', role: 'user' });
  const claim = { workerId: 'ann', leaseMs: limits.leaseMs.max, waitMs: limits.waitMs };
  const { data: batches } = await client.made<{ data: Batch[] }>('/v1/dispatch/claim', claim);
  const message = await client.made<Message>(`/v1/threads/${threadId}/messages`, { streaming: true });
  return {
    threadId,
    messageId: message.id,
    interactionId: interaction.id,
    grantId: body.data[0]?.id ?? '',
    keyId,
    batchId: batches[0]?.id ?? '',
    fileId,
    runId: await makeRun(client),
    ...(await makeDelivery(client, threadId)),
    ...(await makePerson(client)),
    providerId: (await client.made<IdentityProvider>('/v1/identity-providers', newProvider())).id,
  };
}

/** At an address where nothing listens. Nobody signs in with it. */
const newProvider = () => ({
  ...{ id: `id-${crypto.randomUUID()}`, name: 'Acme', issuer: 'http://127.0.0.1:9', clientId: 'holdpoint' },
});

async function makePerson(
  client: SpecClient,
): Promise<Pick<Things, 'personId' | 'sessionId' | 'passkeyId' | 'groupId'>> {
  const { id: groupId } = await client.made<Group>('/v1/groups', { id: `group-${crypto.randomUUID()}` });
  const person = await client.made<InvitedPerson>('/v1/people', { name: 'Ada Rossi', groups: [groupId] });
  const { cookie = '' } = await signInWith(client.url, tokenOf(person.invitation?.url ?? ''));
  const { body } = await client.get<Page<PersonSession>>(`/v1/people/${person.id}/sessions`);
  const { id: passkeyId } = await registerAtLocalhost(client, cookie);
  return { personId: person.id, sessionId: body.data[0]?.id ?? '', passkeyId, groupId };
}

async function makeRun(client: SpecClient): Promise<string> {
  const { id: threadId } = await client.newThread({ agent: 'helper' });
  await client.made(`/v1/threads/${threadId}/messages`, { text: 'Hello', role: 'user' });
  const claim = { workerId: 'ann', agents: ['helper'], leaseMs: limits.leaseMs.max, waitMs: limits.waitMs };
  const { data } = await client.made<{ data: Batch[] }>('/v1/dispatch/claim', claim);
  const { run } = await client.made<BegunRun>(`/v1/dispatch/batches/${data[0]?.id}/run`, { workerId: 'ann' });
  return run?.id ?? '';
}

/** To nobody, and then disabled, so that no attempt writes anything while a test looks for what was written. */
async function makeDelivery(client: SpecClient, threadId: string): Promise<{ webhookId: string; deliveryId: string }> {
  const url = 'http://127.0.0.1:9/';
  const { id: webhookId } = await client.made<{ id: string }>('/v1/webhooks', { url, threadId });
  await client.made(`/v1/threads/${threadId}/messages`, { text: 'Hello', role: 'agent' });
  while (true) {
    const { body } = await client.get<Page<Delivery>>(`/v1/webhooks/${webhookId}/deliveries?limit=1`);
    const [delivery] = body.data;
    if (!delivery) continue;
    await client.patch(`/v1/webhooks/${webhookId}`, { status: 'disabled' });
    return { webhookId, deliveryId: delivery.id };
  }
}

/** Valid bodies; a route that needs one and has none here fails the tests that ask for it. */
export const validBodies: Record<string, (things: Things) => unknown> = {
  'POST /v1/threads': () => ({ title: 'A thread' }),
  'PATCH /v1/threads/:threadId': () => ({ title: 'Another' }),
  'POST /v1/threads/:threadId/messages': () => ({ text: 'Hello' }),
  'POST /v1/messages/:messageId/append': () => ({ text: 'Hello' }),
  'POST /v1/messages/:messageId/complete': () => ({ text: 'Hello' }),
  'POST /v1/threads/:threadId/typing': () => ({}),
  'POST /v1/threads/:threadId/interactions': () => ({ title: 'Name?' }),
  'PATCH /v1/interactions/:interactionId': () => ({ metadata: { a: 1 } }),
  'POST /v1/interactions/:interactionId/answers': () => ({ values: { choice: 'yes' } }),
  'POST /v1/interactions/:interactionId/uploads': () => ({ any: 'file' }),
  'POST /v1/threads/:threadId/files': () => ({ any: 'file' }),
  'POST /v1/files/:fileId/links': () => ({ ttlSeconds: 60 }),
  'POST /v1/interactions/:interactionId/draft': () => ({ values: { choice: 'yes' } }),
  'POST /v1/interactions/:interactionId/decline': () => ({ reason: 'Not now' }),
  'POST /v1/interactions/:interactionId/claim': () => ({ claimForMs: 60_000 }),
  'POST /v1/interactions/:interactionId/release': () => ({}),
  'POST /v1/interactions/:interactionId/delegate': () => ({ to: 'ben' }),
  'POST /v1/interactions/:interactionId/reassign': () => ({ assignees: ['ben'] }),
  'POST /v1/interactions/:interactionId/viewing': () => ({ isViewing: true }),
  'POST /v1/interactions/:interactionId/cancel': () => ({ reason: 'Moot' }),
  'POST /v1/dispatch/claim': () => ({ workerId: 'ann', waitMs: 0 }),
  'POST /v1/dispatch/batches/:batchId/heartbeat': () => ({ workerId: 'ann' }),
  'POST /v1/dispatch/batches/:batchId/complete': () => ({ workerId: 'ann' }),
  'POST /v1/dispatch/batches/:batchId/fail': () => ({ workerId: 'ann', reason: 'It broke' }),
  'POST /v1/dispatch/batches/:batchId/run': () => ({ workerId: 'ann' }),
  'POST /v1/runs/:runId/advance': () => ({ expectedVersion: 1 }),
  'POST /v1/runs/:runId/cancel': () => ({ reason: 'Moot' }),
  'PATCH /v1/dispatch': () => ({ mode: 'sequential' }),
  'PATCH /v1/threads/:threadId/dispatch': () => ({ mode: 'immediate' }),
  'POST /v1/webhooks': () => ({ url: 'http://127.0.0.1:9/', events: ['webhook.disabled'] }),
  'PATCH /v1/webhooks/:webhookId': () => ({ description: 'A webhook' }),
  'POST /v1/webhooks/:webhookId/rotate-secret': () => ({ keepOldForSeconds: 60 }),
  'POST /v1/webhooks/:webhookId/replay': () => ({ since: '2030-01-01T00:00:00Z' }),
  'POST /v1/keys': () => ({ name: 'a key', role: 'agent' }),
  'PATCH /v1/keys/:keyId': () => ({ name: 'another name' }),
  'POST /v1/admin-events/export': () => ({}),
  'POST /v1/people': () => ({ name: 'Ben Okoro' }),
  'PATCH /v1/people/:personId': () => ({ name: 'Ada Neri' }),
  'POST /v1/sign-in-links': ({ personId }) => ({ personId }),
  'POST /v1/groups': () => ({ id: `group-${crypto.randomUUID()}` }),
  'PATCH /v1/groups/:groupId': () => ({ name: 'Finance' }),
  'POST /v1/groups/:groupId/members': ({ personId }) => ({ personId }),
  'POST /v1/identity-providers': () => newProvider(),
  'POST /v1/identity-providers/check': () => ({ issuer: 'http://127.0.0.1:9' }),
  'PATCH /v1/identity-providers/:providerId': () => ({ name: 'Another' }),
  'PATCH /v1/settings': () => ({ approvalAssurance: 'any' }),
  'POST /v1/responder-tokens/revoke': () => ({ responderId: 'nobody' }),
  'POST /v1/sessions': () => ({}),
  'POST /v1/threads/:threadId/telemetry': () => ({ name: 'widget_open' }),
  'POST /v1/orgs': () => ({ id: `org-${Math.random().toString(36).slice(2)}` }),
  'POST /v1/stream-tokens': ({ threadId }) => ({ threadId }),
  'POST /v1/responder-tokens': ({ threadId }) => ({ responderId: 'ada', threadId }),
};

/** What a query must have. */
const queries: Record<string, string> = { '/v1/interactions/:interactionId/uploads': '?field=photo' };

export function everyCall(things: Things): RouteCall[] {
  return documentedRoutes.map(({ method, path: route, body, takesFile = false }) => {
    const names = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof Things);
    const path = names.reduce((url, name) => url.replace(`:${name}`, encodeURIComponent(things[name])), route);
    const valid = validBodies[`${method} ${route}`]?.(things);
    if (body && valid === undefined) throw new Error(`add a valid body for ${method} ${route}`);
    const query = queries[route] ?? '';
    return {
      method,
      route,
      path: path + query,
      names,
      takesFile: takesFile !== false,
      ...(valid === undefined ? {} : { body: valid }),
    };
  });
}

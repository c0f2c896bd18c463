/** Input that PostgreSQL cannot store or compare, and SQLite can: no such call gets a 5xx. */
import { afterAll, expect, test } from 'vitest';
import { startSpecServer } from '../http/openapi/spec-server.ts';
import { everyCall, makeThings } from '../http/requests/every-route.ts';

const server = await startSpecServer();
const { admin } = server;
const things = await makeThings(admin);
afterAll(() => server[Symbol.asyncDispose]());

/** A NUL is in no text of PostgreSQL; half a surrogate pair is in no UTF-8. */
const odd = ['\u0000', 'a\u0000b', '\ufffd', '\u0001'];

const calls = everyCall(things);

test.each(calls.filter(({ names }) => names.length > 0))(
  '[H2][X2] $method $route: what has an odd name does not exist',
  async ({ method, path, names, body }) => {
    for (const name of names)
      for (const id of odd) {
        const there = path.replace(encodeURIComponent(things[name]), encodeURIComponent(id));
        const { status, body: problem } = await admin.call(there, { method, ...(body === undefined ? {} : { body }) });
        expect([400, 404], `${there} ${JSON.stringify(problem)}`).toContain(status);
      }
  },
);

test.each([
  ...['/v1/interactions?threadId=', '/v1/interactions?runId=', '/v1/grants?key='],
  ...['/v1/events?threadId=', '/v1/events?interactionId=', '/v1/events?after='],
  ...['/v1/threads?cursor=', '/v1/interactions?cursor=', '/v1/grants?cursor=', '/v1/keys?cursor='],
])('[H2] GET %s finds nothing by an odd text', async (path) => {
  for (const text of odd) {
    const { status, body } = await admin.get<{ data?: unknown[] }>(path + encodeURIComponent(text));
    expect([200, 400, 404], JSON.stringify(body)).toContain(status);
    expect(body.data ?? []).toEqual([]);
  }
});

test('[H2][I3] an odd name in a body is refused, or kept as it is', async () => {
  const { threadId } = things;
  for (const id of [...odd, '\ud800', '\udfff']) {
    const grant = { key: id, scope: 'thread' };
    const bodies: [string, object][] = [
      ['/v1/threads', { id }],
      ['/v1/threads', { title: id, metadata: { [id]: id } }],
      ['/v1/orgs', { id }],
      ['/v1/keys', { name: id, role: 'agent' }],
      ['/v1/responder-tokens', { responderId: id, threadId }],
      ['/v1/responder-tokens', { responderId: 'ada', threadId: id }],
      ['/v1/responder-tokens', { responderId: 'ada', interactionId: id }],
      [`/v1/threads/${threadId}/messages`, { blocks: [{ type: 'text', text: `${id}!` }], metadata: { [id]: id } }],
      [`/v1/threads/${threadId}/interactions`, { title: `${id}!`, run: { id, attemptId: id, toolCallId: id } }],
      [`/v1/threads/${threadId}/interactions`, { title: 'Run?', kind: 'approval', grant }],
    ];
    for (const [path, body] of bodies) {
      const reply = await admin.post<Record<string, unknown>>(path, body);
      expect([201, 400, 404], `${path} ${JSON.stringify([body, reply.body])}`).toContain(reply.status);
      if (reply.status === 201 && !path.endsWith('tokens')) expect(reply.body).toMatchObject(body);
    }
  }
});

test('[H2] a log is empty after any number, however large', async () => {
  for (const after of [2 ** 31 - 1, 2 ** 31, 2 ** 32, 999_999_999_999_999]) {
    const { status, body } = await admin.get<{ data: unknown[] }>(`/v1/threads/${things.threadId}/log?after=${after}`);
    expect({ after, status, data: body.data }).toEqual({ after, status: 200, data: [] });
  }
});

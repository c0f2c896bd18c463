/** The event stream as a browser's EventSource opens it: without any header of a page's own. */
import type { LogEvent, StreamToken } from '@holdpoint/protocol';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { call, signIn } from '../access/console-caller.ts';
import { type SpecClient, startSpecServer } from '../openapi/spec-server.ts';
import { EventReader } from './event-reader.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const accept = { accept: 'text/event-stream' };
const mint = (client: SpecClient, stream: object = {}) => client.made<StreamToken>('/v1/stream-tokens', stream);
const say = (client: SpecClient, threadId: string) => client.made(`/v1/threads/${threadId}/messages`, { text: 'hi' });
const types = (events: readonly LogEvent[]) => events.map(({ type }) => type);
const inAddress = ({ token }: Pick<StreamToken, 'token'>, more = '') => `/v1/events?token=${token}${more}`;

async function openBare(path: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(server.url + path, { headers: { ...accept, ...headers }, signal: abort.signal });
  if (response.status !== 200) throw new Error(`GET ${path} → ${response.status} ${await response.text()}`);
  return new EventReader(response, abort);
}

const refused = (path: string, headers: Record<string, string> = {}) =>
  call(server.url, path, { headers: { ...accept, ...headers } });

describe('with a stream token in the address', () => {
  test('[X44] it opens the stream that it was made for, from when it was made', async () => {
    const key = await admin.withKey();
    const one = await key.newThread();
    const other = await key.newThread();
    const stream = { threadId: one.id, types: ['message.created', 'thread.updated'] };
    const minted = await mint(key, stream);
    expect(minted.url).toBe(`${server.url}${inAddress(minted)}`);
    await say(key, one.id);
    const reader = await openBare(inAddress(minted));
    await say(key, other.id);
    await key.ask({}, one.id);
    await key.patch(`/v1/threads/${one.id}`, { title: 'Ops' });
    const events = await reader.take(2);
    expect(types(events)).toEqual(['message.created', 'thread.updated']);
    await reader.close();
    // As a browser resumes.
    const resumed = await openBare(inAddress(minted), { 'last-event-id': events[0]?.cursor ?? '' });
    expect(await resumed.take(1)).toEqual(events.slice(1));
    await resumed.close();
  });

  test('[X44] nothing else of the log is to be had by it: no other filter, no earlier event', async () => {
    const org = await admin.withOrg('event-source');
    const { id: threadId } = await org.newThread();
    await say(org, threadId);
    const minted = await mint(org, { threadId });
    for (const query of ['&threadId=other', '&interactionId=i', '&types=message.created', '&ephemeral=true'])
      expect(await refused(inAddress(minted, query))).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
    const earlier = [
      refused(inAddress(minted, '&after=start')),
      refused(inAddress(minted), { 'last-event-id': '0000000000000000' }),
    ];
    for (const reply of await Promise.all(earlier))
      expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await refused(inAddress(minted, '&after=zzz'))).toMatchObject({ body: { code: 'invalid-cursor' } });
    // Unless it was made for all of it.
    const whole = await openBare(inAddress(await mint(org, { threadId, after: 'start' }), '&after=start'));
    expect(types(await whole.take(2))).toEqual(['thread.created', 'message.created']);
    await whole.close();
  });

  test('[X44] it opens nothing but the event stream', async () => {
    const { id: threadId } = await admin.newThread();
    const { token } = await mint(admin, { threadId });
    for (const path of ['/v1/threads', `/v1/threads/${threadId}`, `/v1/threads/${threadId}/log`, '/v1/keys']) {
      // A query that a route does not know is refused as well, whoever calls.
      expect((await refused(`${path}?token=${token}`)).status, path).toBe(401);
      expect((await refused(path, { authorization: `Bearer ${token}` })).status, path).toBe(401);
    }
    expect((await refused('/v1/events', { authorization: `Bearer ${token}` })).status).toBe(401);
    for (const dialect of ['/api/v1/events/stream', '/mcp'])
      expect((await refused(`${dialect}?token=${token}`)).status, dialect).toBeGreaterThanOrEqual(400);
  });

  test('[X44][X2] what it names must be in the org of the key', async () => {
    const org = await admin.withOrg('event-source-too');
    const { id: threadId } = await admin.newThread();
    const reply = await org.post('/v1/stream-tokens', { threadId });
    expect(reply).toMatchObject({ status: 404, body: { code: 'thread-not-found' } });
    const reader = await openBare(inAddress(await mint(org)));
    await say(admin, threadId);
    await org.newThread();
    expect(types(await reader.take(1))).toEqual(['thread.created']);
    expect(reader.left).toEqual([]);
    await reader.close();
  });

  test('[X44] tokens and sessions of people mint none', async () => {
    const { id: threadId } = await admin.newThread();
    const person = await admin.withToken({ threadId });
    expect(await person.post('/v1/stream-tokens', { threadId })).toMatchObject({ status: 403 });
    const session = await signIn(server.url);
    const reply = await call(server.url, '/v1/stream-tokens', { headers: session, body: { threadId } });
    expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('[X22] keys, tokens of people and whatever is forged are refused in the address', async () => {
    const { id: threadId } = await admin.newThread();
    const key = await admin.withKey();
    const person = await admin.withToken({ threadId });
    const { token } = await mint(admin, { threadId });
    const [head, body, signature] = token.slice(4).split('.') as [string, string, string];
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const wider = Buffer.from(JSON.stringify({ ...claims, thread: undefined })).toString('base64url');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const forged = [
      `hps_${head}.${wider}.${signature}`,
      `hps_${unsigned}.${wider}.`,
      // The same claims under the secret and the name of another kind of token.
      `hps_${person.token?.slice(4)}`,
      `hpr_${token.slice(4)}`,
      'hps_',
      'x',
      '',
    ];
    for (const given of [key.token, person.token, ...forged])
      expect(await refused(`/v1/events?token=${given}`), given).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      });
    const both = await refused(inAddress({ token }), { authorization: `Bearer ${key.token}` });
    expect(both).toMatchObject({ status: 401 });
  });

  test('[X45] an open stream outlives its token, a reconnect after that is refused and says why', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const key = await admin.withKey();
      const { id: threadId } = await key.newThread();
      const minted = await mint(key, { threadId, ttlSeconds: 60 });
      expect(Date.parse(minted.expiresAt) - server.clock.now()).toBeLessThanOrEqual(61_000);
      const reader = await openBare(inAddress(minted));
      server.clock.offsetMs += 61_000;
      vi.advanceTimersByTime(15_000);
      await vi.waitFor(() => expect(reader.comments).toEqual([': keep-alive']));
      await say(key, threadId);
      expect(types(await reader.take(1))).toEqual(['message.created']);
      const late = await refused(inAddress(minted), { 'last-event-id': reader.lastId });
      expect(late).toMatchObject({ status: 401, body: { detail: expect.stringContaining('has expired') } });

      // Its key ends it.
      const next = await mint(key, { threadId });
      await admin.made(`/v1/keys/${key.keyId}/revoke`);
      vi.advanceTimersByTime(15_000);
      await reader.ended;
      expect(await refused(inAddress(next))).toMatchObject({
        status: 401,
        body: { detail: expect.stringContaining('was revoked') },
      });
    } finally {
      server.clock.offsetMs = 0;
      vi.useRealTimers();
    }
  });

  test('[X45] one that the configured admin key minted ends when another key is configured', async () => {
    await using first = await startSpecServer();
    const { id: threadId } = await first.admin.newThread();
    const { token } = await mint(first.admin, { threadId });
    await first.stop();
    await using second = await startSpecServer({ place: first.place, adminKey: 'another-admin-key' });
    const reply = await call(second.url, inAddress({ token }), { headers: accept });
    expect(reply).toMatchObject({ status: 401, body: { detail: expect.stringContaining('was revoked') } });
  });

  test('[X44] it is valid for five minutes at most', async () => {
    const reply = await admin.post('/v1/stream-tokens', { ttlSeconds: 301 });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/ttlSeconds' }] } });
  });

  test('[X44][E3] ephemeral events come only where the token was made for them', async () => {
    const { id: threadId } = await admin.newThread();
    const [plain, both] = await Promise.all(
      [false, true].map(async (ephemeral) => openBare(inAddress(await mint(admin, { threadId, ephemeral })))),
    );
    await vi.waitFor(async () => expect(await admin.metric('holdpoint_streams')).toBeGreaterThanOrEqual(2));
    await admin.made(`/v1/threads/${threadId}/typing`);
    await say(admin, threadId);
    // The order is not guaranteed: it may be sent after an event that is committed later.
    expect(types((await both?.take(2)) ?? []).toSorted()).toEqual(['message.created', 'thread.typing']);
    expect(types((await plain?.take(1)) ?? [])).toEqual(['message.created']);
    await Promise.all([plain?.close(), both?.close()]);
  });
});

describe('with the cookie of the console', () => {
  const ofPage = { 'sec-fetch-site': 'same-origin' };

  test('[CO63] a page of the server follows the log, with no header of its own', async () => {
    const { cookie } = await signIn(server.url);
    const reader = await openBare('/v1/events', { cookie, ...ofPage });
    expect(reader.response.headers.get('x-content-type-options')).toBe('nosniff');
    await admin.newThread();
    expect(types(await reader.take(1))).toEqual(['thread.created']);
    await reader.close();
  });

  test('[CO63] no other page does, and no other call takes the cookie alone', async () => {
    const { cookie } = await signIn(server.url);
    const foreign = [
      { origin: 'https://evil.example.com' },
      // Another port of the same machine is the same site, so that the browser sends the cookie.
      { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign)
      expect(await refused('/v1/events', { cookie, ...headers })).toMatchObject({ status: 403 });
    // As an image or a script asks.
    expect(await refused('/v1/events', { cookie, ...ofPage, accept: '*/*' })).toMatchObject({ status: 401 });
    expect(await refused('/v1/threads', { cookie, ...ofPage })).toMatchObject({ status: 401 });
    expect(await refused('/api/v1/events/stream', { cookie, ...ofPage })).toMatchObject({ status: 401 });
  });
});

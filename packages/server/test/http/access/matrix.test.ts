/** Every route × every kind of credential, made from the verb table, so that a new route is covered at once. */
import { type InvitedPerson, type Rights, verbCalls, verbSpecs } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';
import { everyCall, makeThings } from '../requests/every-route.ts';
import { call, newLink, signIn, signInWith, tokenOf } from './console-caller.ts';

const server = await startSpecServer({ responderRateLimit: 0 });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

/** The credentials of a caller, as headers. */
type Headers = Record<string, string>;
const bearer = (token: string | undefined): Headers => ({ authorization: `Bearer ${token}` });

async function person(roles: string[]): Promise<Headers> {
  const invited = await admin.made<InvitedPerson>('/v1/people', { name: roles.join(' '), roles });
  return signInWith(server.url, tokenOf(invited.invitation?.url ?? ''));
}

const first = await makeThings(admin);
const org = await admin.withOrg('acme');
const theirs = await makeThings(org);

const credentials: Record<string, { rights: Rights; headers: Headers }> = {
  'the configured admin key': { rights: 'admin', headers: bearer(admin.token) },
  'an agent key': { rights: 'agent', headers: bearer((await admin.withKey()).token) },
  'a token for a thread': {
    rights: 'thread-responder',
    headers: bearer((await admin.withToken({ threadId: first.threadId })).token),
  },
  'a token for a question': {
    rights: 'interaction-responder',
    headers: bearer((await admin.withToken({ interactionId: first.interactionId })).token),
  },
  'a token for an inbox': {
    rights: 'inbox-responder',
    headers: bearer((await admin.withToken({ inbox: true })).token),
  },
  'a session of an admin': { rights: 'admin', headers: await signIn(server.url) },
  'a session of a member': { rights: 'member', headers: await person(['member']) },
  'a session of an auditor': { rights: 'auditor', headers: await person(['auditor']) },
};

const methodOf = (name: string): string => name.slice(0, name.indexOf(' '));
/** The rights that the table gives to each route. */
const rightsOf = new Map(
  verbCalls.map(({ verb, method, path }) => [`${method} ${path}`, verbSpecs[verb].callers as readonly Rights[]]),
);
/** Answers of the table's verbs that are refusals of another kind: the record is for its requester alone. */
const forRequester = /\/(secrets|callback)$/;

describe('[PE120] the matrix of rights', () => {
  test.each(Object.entries(credentials))(
    '%s may call exactly what the table says',
    async (_name, { rights, headers }) => {
      const things = await makeThings(admin);
      for (const { method, route, path, body } of everyCall(things)) {
        const name = `${method} ${route}`;
        const callers = rightsOf.get(name);
        if (!callers || forRequester.test(route)) continue;
        const wait = path.includes('/wait') || path.includes('/turn') ? '?timeoutMs=0' : '';
        const reply = await call(server.url, path + wait, { method, headers, body });
        const isRefused = reply.status === 403 && /rights/.test(String(reply.body.detail));
        expect(isRefused, `${name} → ${reply.status} ${reply.text}`).toBe(!callers.includes(rights));
        expect(reply.status, `${name} → ${reply.text}`).not.toBe(401);
        expect(reply.status, `${name} → ${reply.text}`).toBeLessThan(500);
      }
    },
  );

  test.each(Object.entries(credentials))('%s sees nothing of another org', async (_name, { headers }) => {
    for (const { method, route, path, body, names } of everyCall(theirs)) {
      if (names.length === 0) continue;
      const wait = path.includes('/wait') || path.includes('/turn') ? '?timeoutMs=0' : '';
      const reply = await call(server.url, path + wait, { method, headers, body });
      expect([403, 404], `${method} ${route} → ${reply.status} ${reply.text}`).toContain(reply.status);
      if (reply.status === 403) expect(String(reply.body.detail), `${method} ${route}`).toMatch(/rights|Only/);
    }
  });

  test('an auditor changes nothing: every route that is open to an auditor alone is a GET', () => {
    const changing = [...rightsOf].filter(([name]) => methodOf(name) !== 'GET');
    const open = changing.filter(([, callers]) => callers.includes('auditor')).map(([name]) => name);
    // Their own name, passkeys and sessions, and an address that opens what they may read.
    expect(open.toSorted()).toEqual([
      'DELETE /v1/people/:personId/passkeys/:passkeyId',
      'DELETE /v1/people/:personId/sessions/:sessionId',
      'PATCH /v1/people/:personId',
      'POST /v1/admin-events/export',
      'POST /v1/files/:fileId/links',
      'POST /v1/interactions/:interactionId/viewing',
    ]);
  });

  test('a link that was used, a session that ended and a revoked token are no credentials', async () => {
    const link = await newLink(server.url);
    const headers = await signInWith(server.url, link);
    await call(server.url, '/console/session', { method: 'DELETE', headers });
    const revoked = await admin.withToken({ threadId: first.threadId });
    await admin.made('/v1/responder-tokens/revoke', { token: revoked.token });
    for (const each of [headers, bearer(link), bearer(revoked.token)])
      for (const { method, route, path, body } of everyCall(first)) {
        const reply = await call(server.url, path, { method, headers: each, body });
        expect(reply.status, `${method} ${route}`).toBe(401);
      }
  });
});

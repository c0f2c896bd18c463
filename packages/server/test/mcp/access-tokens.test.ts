/** Access tokens at /mcp: their audience, provider and person. The providers are real, and so are the tokens they sign. */
import type { Person } from '@holdpoint/protocol';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { accessTokenFor, tokensFor } from '../oidc/access-token.ts';
import { HttpBrowser } from '../oidc/http-browser.ts';
import { startIdentityProvider } from '../oidc/identity-provider.ts';
import { connect, meOf, signInAt, startOf } from '../oidc/sign-in-of-a-test.ts';
import { adminKey, startTestServer } from '../test-server.ts';

const server = await startTestServer({ corsOrigins: ['https://app.example'] });
const [idp, opaque, other] = await Promise.all([
  startIdentityProvider(),
  startIdentityProvider({ accessTokens: 'opaque' }),
  startIdentityProvider({ host: '127.0.0.1' }),
]);
afterAll(() => Promise.all([server, idp, opaque, other].map((each) => each[Symbol.asyncDispose]())));
const resource = `${server.url}/mcp`;
const metadata = '/.well-known/oauth-protected-resource/mcp';
const unoffered = (await call()).challenge;
const open = { signUp: true, allowedDomains: ['*'] };
await connect(server, idp, { ...open, mcpTokens: 'jwt' });
await connect(server, opaque, { ...open, id: 'opaque', mcpTokens: 'introspection' });
await connect(server, other, { ...open, id: 'other' });

beforeEach(() => {
  server.clock.offsetMs = 0;
  idp.intercept = undefined;
});

async function call(token?: string, { org, headers }: { org?: string; headers?: Record<string, string> } = {}) {
  const reply = await fetch(server.url + (org ? `/mcp?org=${org}` : '/mcp'), {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      'mcp-protocol-version': '2025-11-25',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const text = await reply.text();
  const code = reply.ok ? undefined : (JSON.parse(text).error.data.code as string);
  const { headers: received, status } = reply;
  return { status, code, text, challenge: received.get('www-authenticate'), headers: received };
}

/** Signs a user in at the console, which creates the person. */
async function joined(user: string, provider = idp, id = 'acme'): Promise<Person> {
  provider.users.set(user, { email: `${user}@${id}.example`, email_verified: true, name: user });
  const browser = new HttpBrowser();
  await signInAt(browser, startOf(server, id), { user });
  return (await meOf(browser, server))?.person as Person;
}

const ada = await joined('ada');
const ofAda = await accessTokenFor(idp, { user: 'ada', resource });
const invalid = {
  ...{ status: 401, code: 'unauthenticated' },
  challenge: `Bearer error="invalid_token", resource_metadata="${server.url}${metadata}"`,
};

/** Changes the payload or the header of a token, and keeps its signature. */
function forged(token: string, { header = {}, payload = {} }: { header?: object; payload?: object }): string {
  const [head = '', body = '', signature = ''] = token.split('.');
  const changed = (part: string, change: object) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...change })).toString(
      'base64url',
    );
  return [changed(head, header), changed(body, payload), signature].join('.');
}

describe('how a client finds the provider', () => {
  test('[PE160] the 401 names the metadata, which pages of every origin may read', async () => {
    expect(unoffered).toBe('Bearer');
    const { challenge } = await call(undefined, { headers: { origin: 'https://app.example' } });
    expect(challenge).toBe(`Bearer resource_metadata="${server.url}${metadata}"`);
    const page = { headers: { origin: 'https://anywhere.example' } };
    const reply = await fetch(server.url + metadata, page);
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
    expect(await reply.json()).toEqual({
      ...{ resource, authorization_servers: [idp.issuer, opaque.issuer], scopes_supported: ['openid'] },
      ...{ bearer_methods_supported: ['header'], resource_name: 'Holdpoint' },
    });
    const asked = {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mcp-protocol-version',
    };
    const preflight = await fetch(server.url + metadata, {
      method: 'OPTIONS',
      headers: { ...page.headers, ...asked },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
  });

  test('[PE160] an allowed page reads the 401, and another page is rejected even with a valid token', async () => {
    const { headers } = await call(undefined, { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-expose-headers')).toContain('www-authenticate');
    const foreign = { headers: { origin: 'https://evil.example' } };
    expect(await call(ofAda)).toMatchObject({ status: 200 });
    expect(await call(ofAda, foreign)).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('[PE160] an org without such a provider has no metadata, and keys work as before', async () => {
    for (const query of ['?org=nobody', '?org=', '?org=a&org=b'])
      expect((await fetch(server.url + metadata + query)).status).toBe(404);
    expect((await call(undefined, { org: 'nobody' })).challenge).toBe('Bearer');
    expect(await call(adminKey)).toMatchObject({ status: 200 });
    expect((await server.admin.as(ofAda).get('/v1/me')).status).toBe(401);
  });

  test('[PE160] a provider of the configuration is offered at the public URL', async () => {
    const configured = { id: 'env', name: 'Env', issuer: idp.issuer, clientId: 'c', mcpTokens: 'jwt' as const };
    const publicUrl = 'https://ask.acme.example';
    await using one = await startTestServer({ identityProviders: [configured], publicUrl });
    expect(await (await fetch(one.url + metadata)).json()).toMatchObject({
      ...{ resource: `${publicUrl}/mcp`, authorization_servers: [idp.issuer] },
    });
    const reply = await fetch(`${one.url}/mcp`, { method: 'POST' });
    expect(reply.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${publicUrl}${metadata}"`);
  });

  test('[PE160] an admin turns it on, names the scopes, and turns it off', async () => {
    const path = '/v1/identity-providers/other';
    const patch = (body: object) => server.admin.call(path, { method: 'PATCH', body });
    expect((await patch({ mcpScopes: ['tools'] })).body).toMatchObject({ errors: [{ pointer: '/mcpTokens' }] });
    expect((await patch({ mcpTokens: 'introspection', clientSecret: null })).body).toMatchObject({
      errors: [{ pointer: '/clientSecret' }],
    });
    await joined('otto', other, 'other');
    const token = await accessTokenFor(other, { user: 'otto', resource });
    expect(await call(token)).toMatchObject(invalid);
    await patch({ mcpTokens: 'jwt', mcpScopes: ['tools', 'openid'] });
    const body = (await (await fetch(server.url + metadata)).json()) as Record<string, string[]>;
    expect(body.authorization_servers).toContain(other.issuer);
    expect(body.scopes_supported).toEqual(['openid', 'tools']);
    expect(await call(token)).toMatchObject({ status: 200 });
    await patch({ mcpTokens: null, mcpScopes: null });
    expect(await call(token)).toMatchObject(invalid);
  });
});

describe('a signed token', () => {
  test('[PE161] of another resource, without one, or of another provider is rejected', async () => {
    const elsewhere = ['https://other.example/mcp', server.url, `${server.url}/mcp2`];
    for (const each of elsewhere)
      expect(await call(await accessTokenFor(idp, { user: 'ada', resource: each })), each).toMatchObject(invalid);
    expect(await call(await accessTokenFor(idp, { user: 'ada' }))).toMatchObject(invalid);
    expect(await call(await accessTokenFor(other, { user: 'ada', resource }))).toMatchObject(invalid);
  });

  test('[PE161] an id token is rejected, also one that names our resource', async () => {
    const { id_token = '' } = await tokensFor(idp, { user: 'ada', resource });
    expect(id_token.split('.')).toHaveLength(3);
    expect(await call(id_token)).toMatchObject(invalid);
    const own = { client_id: resource, token_endpoint_auth_method: 'none', application_type: 'native' };
    const registered = idp.client;
    idp.register({ ...own, redirect_uris: ['http://localhost:9/callback'] });
    const forUs = await tokensFor(idp, { user: 'ada', clientId: resource, nonce: 'n' });
    idp.register(registered);
    expect(JSON.parse(Buffer.from(forUs.id_token?.split('.')[1] ?? '', 'base64url').toString()).aud).toBe(resource);
    expect(await call(forUs.id_token)).toMatchObject(invalid);
  });

  test('[PE161] that is expired, changed, unsigned or signed with the client secret is rejected', async () => {
    expect(await call(ofAda)).toMatchObject({ status: 200 });
    server.clock.offsetMs = 3_600_000 + 30_000;
    expect(await call(ofAda)).toMatchObject({ status: 200 });
    server.clock.offsetMs = 3_600_000 + 90_000;
    expect(await call(ofAda)).toMatchObject(invalid);
    server.clock.offsetMs = 0;
    const [, body = ''] = ofAda.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    for (const token of [
      forged(ofAda, { payload: { sub: 'ben' } }),
      forged(ofAda, { header: { alg: 'HS256' } }),
      `${none}.${body}.`,
      `${ofAda}x`,
      `${body}.${body}`,
    ])
      expect(await call(token)).toMatchObject(invalid);
  });

  test('[PE161] follows the keys of the provider when they change', async () => {
    const before = idp.requests.filter((request) => request.includes('jwks')).length;
    for (let calls = 0; calls < 5; calls++) await call(ofAda);
    expect(idp.requests.filter((request) => request.includes('jwks'))).toHaveLength(before);
    await idp.rotateKeys();
    const token = await accessTokenFor(idp, { user: 'ada', resource });
    // A key that is not known is looked up every five seconds at most.
    const status = async (each: string) => (await call(each)).status;
    await expect.poll(() => status(token), { interval: 500, timeout: 20_000 }).toBe(200);
    expect(await call(ofAda)).toMatchObject(invalid);
  });
});

describe('a token that is not signed', () => {
  const introspections = () => opaque.requests.filter((request) => request === 'POST /token/introspection').length;

  test('[PE162] is checked with its provider, at most every 30 seconds', async () => {
    await joined('olga', opaque, 'opaque');
    const before = introspections();
    const token = await accessTokenFor(opaque, { user: 'olga', resource });
    expect(token).not.toContain('.');
    expect((await Promise.all([call(token), call(token)])).map(({ status }) => status)).toEqual([200, 200]);
    expect(introspections()).toBe(before + 1);
    server.clock.offsetMs = 31_000;
    expect(await call(token)).toMatchObject({ status: 200 });
    expect(introspections()).toBe(before + 2);
    const form = { token, client_id: String(await clientOf(token)) };
    await fetch(`${opaque.issuer}/token/revocation`, { method: 'POST', body: new URLSearchParams(form) });
    server.clock.offsetMs = 62_000;
    expect(await call(token)).toMatchObject(invalid);
  });

  test('[PE162] of another resource or unknown is rejected, and asked about once', async () => {
    const elsewhere = await accessTokenFor(opaque, { user: 'olga', resource: 'https://other.example/mcp' });
    expect(await call(elsewhere)).toMatchObject(invalid);
    expect(await call('no-such-token')).toMatchObject(invalid);
    const asked = introspections();
    expect(await call('no-such-token')).toMatchObject(invalid);
    expect(introspections()).toBe(asked);
  });

  test('[PE162] keys and tokens of ours, and signed tokens of others, are sent to no provider', async () => {
    const asked = introspections();
    for (const token of [
      'hp_unknown',
      'hpr_unknown',
      'hpu_x.y.z',
      await accessTokenFor(other, { user: 'ada', resource }),
    ])
      expect(await call(token)).toMatchObject(invalid);
    expect(introspections()).toBe(asked);
  });

  test('[PE162] unknown tokens of one address are limited, and known ones are not', async () => {
    const token = await accessTokenFor(opaque, { user: 'olga', resource });
    expect(await call(token)).toMatchObject({ status: 200 });
    const asked = introspections();
    let sent = 0;
    const next = () => call(`unknown-${sent}`);
    let reply = await next();
    for (; reply.status === 401 && sent < 1_000; reply = await next()) sent++;
    expect(reply).toMatchObject({ status: 429, code: 'rate-limited' });
    expect(introspections() - asked).toBe(sent);
    expect(await call(token)).toMatchObject({ status: 200 });
    expect(await call(adminKey)).toMatchObject({ status: 200 });
  });

  /** The client that got the token. */
  async function clientOf(token: string): Promise<unknown> {
    const { client_id, client_secret = '' } = opaque.client;
    const authorization = `Basic ${Buffer.from(`${client_id}:${encodeURIComponent(client_secret)}`).toString('base64')}`;
    const reply = await fetch(`${opaque.issuer}/token/introspection`, {
      ...{ method: 'POST', headers: { authorization }, body: new URLSearchParams({ token }) },
    });
    return ((await reply.json()) as { client_id: unknown }).client_id;
  }
});

describe('the person of a token', () => {
  const current = () => accessTokenFor(idp, { user: 'ada', resource });

  test('[PE164] is unknown before the first sign-in, and refused when deactivated', async () => {
    idp.users.set('nina', { email: 'nina@acme.example', email_verified: true });
    const token = await accessTokenFor(idp, { user: 'nina', resource });
    const unknown = await call(token);
    expect(unknown).toMatchObject({ status: 403, code: 'forbidden' });
    expect(unknown.text).toContain('Sign in to the console of Holdpoint once first.');
    const nina = await joined('nina');
    expect(await call(token)).toMatchObject({ status: 200 });
    const set = (status: string) => server.admin.call(`/v1/people/${nina.id}`, { method: 'PATCH', body: { status } });
    await set('deactivated');
    expect(await call(token)).toMatchObject({ status: 403, code: 'forbidden' });
    await set('active');
    expect(await call(token)).toMatchObject({ status: 200 });
  });

  test('[PE164] has a new role at the next call', async () => {
    const token = await current();
    const ask = async () => {
      const reply = await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          ...{ authorization: `Bearer ${token}`, 'mcp-protocol-version': '2025-11-25' },
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
          params: { name: 'ask_human', arguments: { title: 'Well?', wait_seconds: 0 } },
        }),
      });
      return reply.text();
    };
    expect(await ask()).toContain('pending');
    await server.admin.call(`/v1/people/${ada.id}`, { method: 'PATCH', body: { roles: ['auditor'] } });
    expect(await ask()).toContain('forbidden');
    await server.admin.call(`/v1/people/${ada.id}`, { method: 'PATCH', body: { roles: ['member'] } });
    expect(await ask()).toContain('pending');
  });

  test('[PE169] a token for one org is none for another, even of the same provider', async () => {
    const org = (await server.admin.post<{ adminKey: { secret: string } }>('/v1/orgs', { id: 'tenant' })).body;
    const theirs = server.admin.as(org.adminKey.secret);
    const settings = { name: 'T', issuer: idp.issuer, clientId: idp.client.client_id, mcpTokens: 'jwt' };
    expect((await theirs.post('/v1/identity-providers', { id: 'acme', ...settings })).status).toBe(201);
    const own = await current();
    expect(await call(own)).toMatchObject({ status: 200 });
    expect(await call(own, { org: 'tenant' })).toMatchObject({
      ...{ status: 401, code: 'unauthenticated' },
      challenge: `Bearer error="invalid_token", resource_metadata="${server.url}${metadata}?org=tenant"`,
    });
    const body = (await (await fetch(`${server.url}${metadata}?org=tenant`)).json()) as { resource: string };
    expect(body.resource).toBe(`${server.url}/mcp?org=tenant`);
    const forTenant = await accessTokenFor(idp, { user: 'ada', resource: body.resource });
    expect(await call(forTenant)).toMatchObject({ status: 401 });
    // Ada has signed in to the first org only.
    expect(await call(forTenant, { org: 'tenant' })).toMatchObject({ status: 403, code: 'forbidden' });
  });
});

describe('a provider that is down', () => {
  test('[PE163] is no reason to sign in again, and its last keys serve', async () => {
    await using down = await startIdentityProvider();
    await connect(server, down, { ...open, id: 'down', mcpTokens: 'jwt' });
    await joined('dora', down, 'down');
    const token = await accessTokenFor(down, { user: 'dora', resource });
    await server.restart();
    // Another port, so another resource.
    const again = await accessTokenFor(down, { user: 'dora', resource: `${server.url}/mcp` });
    await down.stop();
    const away = await call(again);
    expect(away).toMatchObject({ status: 503, code: 'provider-unavailable', challenge: null });
    expect(away.headers.get('retry-after')).toBe('5');
    await down.start();
    await expect.poll(async () => (await call(again)).status).toBe(200);
    await down.stop();
    expect(await call(again)).toMatchObject({ status: 200 });
    // The keys are looked up again every ten minutes.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 660_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await call(again)).toMatchObject({ status: 200 });
    expect(await call(token)).toMatchObject({ status: 401 });
  });
});

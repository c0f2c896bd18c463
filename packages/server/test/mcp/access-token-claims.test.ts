/** The claims of access tokens: a real provider, whose keys and introspections the test replaces. */
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { HttpBrowser } from '../oidc/http-browser.ts';
import { startIdentityProvider } from '../oidc/identity-provider.ts';
import { connect, signInAt, startOf } from '../oidc/sign-in-of-a-test.ts';
import { startTestServer } from '../test-server.ts';

const server = await startTestServer();
const [signing, asked] = await Promise.all([startIdentityProvider(), startIdentityProvider()]);
afterAll(() => Promise.all([server, signing, asked].map((each) => each[Symbol.asyncDispose]())));
const open = { signUp: true, allowedDomains: ['*'] };
await connect(server, signing, { ...open, mcpTokens: 'jwt' });
await connect(server, asked, { ...open, id: 'asked', mcpTokens: 'introspection' });
for (const [provider, id] of [
  [signing, 'acme'],
  [asked, 'asked'],
] as const) {
  provider.users.set('ada', { email: `ada@${id}.example`, email_verified: true });
  await signInAt(new HttpBrowser(), startOf(server, id), { user: 'ada' });
}

const resource = `${server.url}/mcp`;
const seconds = Math.floor(Date.now() / 1000);
const { privateKey, publicKey } = await generateKeyPair('ES256');
const key = { ...(await exportJWK(publicKey)), kid: 'of the test', alg: 'ES256', use: 'sig' };
let introspection: { status: number; body: object } = { status: 200, body: {} };
signing.intercept = ({ url }, response) => {
  if (url !== '/jwks') return false;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [key] }));
  return true;
};
asked.intercept = ({ url }, response) => {
  if (url !== '/token/introspection') return false;
  const { status, body } = introspection;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return true;
};

async function statusOf(token: string): Promise<number> {
  const reply = await fetch(resource, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...{ authorization: `Bearer ${token}`, 'mcp-protocol-version': '2025-11-25' },
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  await reply.text();
  return reply.status;
}

describe('the claims of a signed token', () => {
  const claims = { iss: signing.issuer, sub: 'ada', aud: resource, iat: seconds, exp: seconds + 600 };
  const status = async (changed: object, header: object = {}) =>
    statusOf(
      await new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ alg: 'ES256', kid: key.kid, typ: 'at+jwt', ...header })
        .sign(privateKey),
    );

  test('[PE161] are accepted as providers write them', async () => {
    // The server may have looked up the keys at the sign-in, and looks them up again after five seconds.
    await expect.poll(() => status({}), { interval: 500, timeout: 20_000 }).toBe(200);
    expect(await status({ aud: ['https://api.example', resource] })).toBe(200);
    expect(await status({ typ: 'Bearer' }, { typ: 'JWT' })).toBe(200);
    expect(await status({}, { typ: undefined })).toBe(200);
    expect(await status({}, { typ: 'application/at+jwt' })).toBe(200);
    expect(await status({ exp: seconds - 30, nbf: seconds + 30 })).toBe(200);
  });

  test.each([
    ['of an id token', { nonce: 'n' }, {}],
    ['of an id token with a hash of an access token', { at_hash: 'h' }, { typ: 'JWT' }],
    ['of an id token of Keycloak', { typ: 'ID' }, { typ: 'JWT' }],
    ['of a logout token', { events: {} }, { typ: 'logout+jwt' }],
    ['of another type', {}, { typ: 'refresh+jwt' }],
    ['of a token that is bound to a key', { cnf: { jkt: 'k' } }, {}],
    ['without an expiry', { exp: undefined }, {}],
    ['that have expired', { exp: seconds - 90 }, {}],
    ['that are not yet valid', { nbf: seconds + 90 }, {}],
    ['without a subject', { sub: undefined }, {}],
    ['with an empty subject', { sub: '' }, {}],
    ['without an audience', { aud: undefined }, {}],
    ['for another audience', { aud: [`${resource}/`, server.url] }, {}],
    ['of another issuer', { iss: `${signing.issuer}/other` }, {}],
  ])('[PE161] %s are rejected', async (_name, changed, header) => {
    expect(await status(changed, header)).toBe(401);
  });
});

test('[PE163] keys that cannot be looked up are no reason to sign in again', async () => {
  await using keyless = await startIdentityProvider();
  const settings = { name: 'Keyless', issuer: keyless.issuer, clientId: 'c', mcpTokens: 'jwt' };
  await server.admin.post('/v1/identity-providers', { id: 'keyless', ...settings });
  const token = await new SignJWT({ iss: keyless.issuer, sub: 'ada', aud: resource, exp: seconds + 600 })
    .setProtectedHeader({ alg: 'ES256', kid: key.kid })
    .sign(privateKey);
  keyless.intercept = ({ url }, response) => {
    if (url !== '/jwks') return false;
    response.writeHead(503).end();
    return true;
  };
  expect(await statusOf(token)).toBe(503);
  keyless.intercept = undefined;
  expect(await statusOf(token)).toBe(401);
});

describe('the claims of an introspection', () => {
  let count = 0;
  const good = { active: true, sub: 'ada', aud: resource, exp: seconds + 600, token_type: 'Bearer' };
  const status = (body: object, code = 200) => {
    introspection = { status: code, body };
    return statusOf(`opaque-${count++}`);
  };

  test('[PE162] are accepted as providers write them', async () => {
    expect(await status(good)).toBe(200);
    expect(await status({ active: true, sub: 'ada', aud: ['x', resource], iss: asked.issuer })).toBe(200);
  });

  test.each([
    ['of an inactive token', { active: false }],
    ['without an audience', { aud: undefined }],
    ['for another audience', { aud: ['https://api.example'] }],
    ['of another issuer', { iss: 'https://other.example' }],
    ['without a subject', { sub: undefined }],
    ['that have expired', { exp: seconds - 90 }],
    ['that are not yet valid', { nbf: seconds + 90 }],
    ['of a token that is bound to a key', { cnf: { jkt: 'k' } }],
    ['of another type of token', { token_type: 'DPoP' }],
  ])('[PE162] %s are rejected', async (_name, changed) => {
    expect(await status({ ...good, ...changed })).toBe(401);
  });

  test('[PE163] a provider that does not know our client, or fails, is no reason to sign in again', async () => {
    expect(await status({ error: 'invalid_client' }, 401)).toBe(503);
    expect(await status({}, 500)).toBe(503);
    expect(await status([])).toBe(503);
  });

  test('[PE162] with two providers that could be asked, a token that names none is rejected', async () => {
    const second = { name: 'B', issuer: 'https://b.example', clientId: 'b', clientSecret: 's' };
    await server.admin.post('/v1/identity-providers', { id: 'b', ...second, mcpTokens: 'introspection' });
    expect(await status(good)).toBe(401);
    await server.admin.call('/v1/identity-providers/b', { method: 'DELETE' });
    expect(await status(good)).toBe(200);
  });
});

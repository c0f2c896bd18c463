/** Checking an issuer before somebody signs in with it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AdminEvent, CreatedOrg, IdentityProviderCheck, Page } from '@holdpoint/protocol';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startIdentityProvider } from '../../oidc/identity-provider.ts';
import { startTestServer } from '../../test-server.ts';

const server = await startTestServer();
const idp = await startIdentityProvider();
afterAll(() => Promise.all([server, idp].map((each) => each[Symbol.asyncDispose]())));

const path = '/v1/identity-providers/check';
const check = async (issuer: string) => (await server.admin.post<IdentityProviderCheck>(path, { issuer })).body;

test('[PE180] reads the document and the keys of a provider, and keeps nothing', async () => {
  expect(await check(idp.issuer)).toEqual({ isReady: true, hasBackchannelLogout: true });
  expect(idp.requests).toEqual(['GET /.well-known/openid-configuration', 'GET /jwks']);
  expect((await server.admin.get<Page<unknown>>('/v1/identity-providers')).body.data).toEqual([]);
  const log = (await server.admin.get<Page<AdminEvent>>('/v1/admin-events')).body.data;
  expect(log.filter(({ type }) => /^provider|failed/.test(type))).toEqual([]);
  await idp.stop();
  expect(await check(idp.issuer)).toEqual({
    ...{ isReady: false, reason: 'provider-unavailable', detail: 'ECONNREFUSED' },
  });
  await idp.start();
});

test('[PE180] names the property of the document that is wrong, and no text of the provider', async () => {
  let change: object = {};
  let isAll = false;
  const fake = createServer((request, response) => {
    if (request.url === '/keys') return response.writeHead(500).end('a secret text');
    const base = `http://${request.headers.host}`;
    const document = {
      ...{ issuer: base, authorization_endpoint: `${base}/a`, token_endpoint: `${base}/t`, jwks_uri: `${base}/keys` },
      ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
      ...change,
    };
    const body = isAll ? 'a secret text' : JSON.stringify(document);
    return response.writeHead(isAll ? 404 : 200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void fake.close());
  const issuer = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`;
  const refused = async (wrong: object) => {
    change = wrong;
    const { isReady, reason, detail } = await check(issuer);
    return [isReady, reason, detail];
  };
  const invalid = (detail: string) => [false, 'invalid-response', detail];
  expect(await refused({ token_endpoint: undefined })).toEqual(invalid('token_endpoint'));
  expect(await refused({ authorization_endpoint: undefined })).toEqual(invalid('authorization_endpoint'));
  expect(await refused({ jwks_uri: undefined })).toEqual(invalid('jwks_uri'));
  const algorithms = 'id_token_signing_alg_values_supported';
  expect(await refused({ [algorithms]: ['HS256', 'none'] })).toEqual(invalid(algorithms));
  expect(await refused({ issuer: 'https://elsewhere.example' })).toEqual(
    invalid('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'),
  );
  expect(await refused({})).toEqual([false, 'provider-unavailable', 'ERR_JOSE_GENERIC']);
  isAll = true;
  expect(await refused({})).toEqual([false, 'provider-unavailable', 'OAUTH_RESPONSE_IS_NOT_CONFORM']);
});

test('[PE181] rejects what could not be added, and asks no private address for another org', async () => {
  const asked = idp.requests.length;
  const resolveHost = async () => [{ address: '10.0.0.7', family: 4 }];
  await using strict = await startTestServer({ allowPrivateWebhooks: false, internals: { resolveHost } });
  const { body } = await strict.admin.post<CreatedOrg>('/v1/orgs', { id: 'tenant' });
  const tenant = strict.admin.as(body.adminKey?.secret);
  const refused = async (caller: typeof tenant, issuer: string) => {
    const reply = await caller.post(path, { issuer });
    expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/issuer' }] } });
  };
  for (const issuer of ['ftp://id.example', 'http://id.example', 'https://id.example?a=b', ''])
    await refused(strict.admin, issuer);
  for (const issuer of [idp.issuer, 'https://10.1.2.3', 'https://[::1]', 'https://inside.example'])
    await refused(tenant, issuer);
  expect(idp.requests.length).toBe(asked);
  // The name is public when it is checked, and private for the connection.
  let lookups = 0;
  const rebinding = async () => [{ address: lookups++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
  await using moving = await startTestServer({ allowPrivateWebhooks: false, internals: { resolveHost: rebinding } });
  const made = await moving.admin.post<CreatedOrg>('/v1/orgs', { id: 'tenant' });
  const caller = moving.admin.as(made.body.adminKey?.secret);
  expect((await caller.post(path, { issuer: 'https://id.example' })).body).toEqual({
    ...{ isReady: false, reason: 'provider-unavailable', detail: 'ERR_PRIVATE_ADDRESS' },
  });
});

/** Identity providers in Settings and in the configuration of the server. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreatedOrg, IdentityProvider, Page } from '@holdpoint/protocol';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { HttpBrowser } from '../../oidc/http-browser.ts';
import { startIdentityProvider } from '../../oidc/identity-provider.ts';
import { clientId, clientSecret, errorOf, events, meOf, signInAt, startOf } from '../../oidc/sign-in-of-a-test.ts';
import { startTestServer } from '../../test-server.ts';
import { call, signIn } from './console-caller.ts';

const server = await startTestServer();
const idp = await startIdentityProvider();
afterAll(() => Promise.all([server, idp].map((each) => each[Symbol.asyncDispose]())));

const path = '/v1/identity-providers';
let count = 0;
const newProvider = (more: object = {}) => ({
  ...{ id: `id-${count++}`, name: 'Acme', issuer: idp.issuer, clientId, clientSecret, ...more },
});
const add = (more?: object) => server.admin.post<IdentityProvider>(path, newProvider(more));
const patch = (id: string, body: object) =>
  server.admin.call<IdentityProvider>(`${path}/${id}`, { method: 'PATCH', body });
const remove = (id: string) => server.admin.call(`${path}/${id}`, { method: 'DELETE' });

describe('a provider of the API', () => {
  test('[PE97] is shown with the addresses for the provider, and never with its secret', async () => {
    const { status, body } = await add({ id: 'shown' });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...{ id: 'shown', name: 'Acme', issuer: idp.issuer, clientId, hasSecret: true, source: 'api' },
      callbackUrl: `${server.url}/auth/shown/callback`,
      logoutUrl: `${server.url}/auth/shown/backchannel-logout`,
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
    const changed = await patch('shown', { name: 'Other', clientSecret: 'rotated secret', scopes: ['groups'] });
    expect(changed.body).toMatchObject({ name: 'Other', scopes: ['groups'], hasSecret: true });
    const { body: list } = await server.admin.get<Page<IdentityProvider>>(path);
    expect(list.data).toEqual([changed.body]);
    expect((await patch('shown', { scopes: null, clientSecret: null })).body).toMatchObject({ hasSecret: false });
    expect((await remove('shown')).status).toBe(200);
    expect((await remove('shown')).body).toMatchObject({ code: 'provider-not-found' });
    const log = (
      await Promise.all(['created', 'updated', 'deleted'].map((verb) => events(server, `provider.${verb}`)))
    ).flat();
    expect(log.map(({ type, subject, data }) => [type, subject?.id, data])).toEqual([
      ['provider.created', 'shown', { issuer: idp.issuer, clientId }],
      ['provider.updated', 'shown', { changed: ['clientSecret', 'scopes'] }],
      ['provider.updated', 'shown', { changed: ['clientSecret', 'name', 'scopes'] }],
      ['provider.deleted', 'shown', undefined],
    ]);
    expect(JSON.stringify([log, list])).not.toMatch(/rotated secret|client secret/);
  });

  test('[PE96] is checked, with a pointer to each mistake', async () => {
    const pointers = async (more: object) =>
      ((await add(more)).body as unknown as { errors?: { pointer: string }[] }).errors?.map(({ pointer }) => pointer);
    expect(await pointers({ issuer: 'http://id.example' })).toEqual(['/issuer']);
    expect(await pointers({ id: 'Big' })).toEqual(['/id']);
    expect(await pointers({ id: 'a~b' })).toEqual(['/id']);
    expect(await pointers({ signUp: true, roleClaim: 'x' })).toEqual(['/allowedDomains', '/roles']);
    expect(await pointers({ roles: { a: 'owner' }, roleClaim: 'x' })).toEqual(['/roles/a']);
    expect(await pointers({ scopes: ['a b'] })).toEqual(['/scopes/0']);
    expect(await pointers({ name: '\u200b' })).toEqual(['/name']);
    expect(await pointers({ secret: 'x' })).toEqual(['/secret']);
    const { body } = await add();
    expect((await add({ id: body.id })).body).toMatchObject({ code: 'provider-exists' });
    expect((await patch(body.id, { issuer: 'https://other.example' })).body).toMatchObject({
      errors: [{ pointer: '/clientSecret' }],
    });
    await remove(body.id);
  });

  test('[PE96] a call that is repeated under its key adds one, and an org has at most 20', async () => {
    const key = { 'idempotency-key': 'once' };
    const given = newProvider();
    const twice = [await server.admin.post(path, given, key), await server.admin.post(path, given, key)];
    expect(twice.map(({ status }) => status)).toEqual([201, 201]);
    const ids = [given.id];
    for (let more = 1; more < 20; more++) ids.push((await add()).body.id);
    expect((await add()).body).toMatchObject({ code: 'too-many-providers' });
    const first = (await server.admin.get<Page<IdentityProvider>>(`${path}?limit=15`)).body;
    const rest = (await server.admin.get<Page<IdentityProvider>>(`${path}?limit=15&cursor=${first.next}`)).body;
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids.toSorted());
    expect(rest).not.toHaveProperty('next');
    await Promise.all(ids.map(remove));
  });

  test('[PE96] is for admins: members see nothing, auditors see it and change nothing', async () => {
    await add({ id: 'rights' });
    const boss = await signIn(server.url);
    const as = async (role: string) => {
      const invited = await server.admin.post<{ id: string; invitation: { url: string } }>('/v1/people', {
        name: role,
        roles: [role],
      });
      const link = invited.body.invitation.url.split('/').at(-1);
      const opened = await call(server.url, '/console/session', {
        headers: { 'x-holdpoint-console': '1' },
        body: { link },
      });
      const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
      return { 'x-holdpoint-console': '1', cookie };
    };
    const [member, auditor] = [await as('member'), await as('auditor')];
    const statuses = async (headers: Record<string, string>) => [
      (await call(server.url, path, { headers })).status,
      (await call(server.url, path, { headers, body: newProvider() })).status,
      (await call(server.url, `${path}/rights`, { headers, method: 'PATCH', body: { name: 'x' } })).status,
      (await call(server.url, `${path}/rights`, { headers, method: 'DELETE' })).status,
    ];
    expect(await statuses(member)).toEqual([403, 403, 403, 403]);
    expect(await statuses(auditor)).toEqual([200, 403, 403, 403]);
    expect(await statuses(boss)).toEqual([200, 201, 200, 200]);
    await remove(`id-${count - 1}`);
  });
});

describe('another org', () => {
  const newOrg = async (on: typeof server, id: string) => {
    const { body } = await on.admin.post<CreatedOrg>('/v1/orgs', { id });
    return on.admin.as(body.adminKey?.secret);
  };

  test('[PE98] has its own providers, at addresses with its id', async () => {
    const org = await newOrg(server, 'tenant');
    const { body } = await org.post<IdentityProvider>(
      path,
      newProvider({ id: 'own', signUp: true, allowedDomains: ['*'] }),
    );
    expect(body.callbackUrl).toBe(`${server.url}/auth/tenant~own/callback`);
    idp.register({ client_id: clientId, client_secret: clientSecret, redirect_uris: [body.callbackUrl ?? ''] });
    const browser = new HttpBrowser();
    await signInAt(browser, startOf(server, 'tenant~own'), { user: 'tina' });
    expect(await meOf(browser, server)).toMatchObject({ orgId: 'tenant', name: 'tina', via: 'oidc' });
    const offered = async (query: string) => (await server.admin.get<object>(`/console/sign-in${query}`)).body;
    expect(await offered('?org=tenant')).toEqual({ providers: [{ id: 'tenant~own', name: 'Acme' }] });
    expect(await offered('')).toEqual({ providers: [] });
    expect(errorOf(await new HttpBrowser().open(startOf(server, 'own')))).toBe('unknown-provider');
    expect((await server.admin.get<Page<IdentityProvider>>(path)).body.data).toEqual([]);
  });

  test('[PE99] reaches no private address, neither by the issuer nor by what its document names', async () => {
    const hidden = await startIdentityProvider({ host: '127.0.0.1' });
    await using _ = hidden;
    const resolveHost = async (host: string) =>
      host === 'public.example' ? [{ address: '93.184.216.34', family: 4 }] : [{ address: '10.0.0.7', family: 4 }];
    await using strict = await startTestServer({ allowPrivateWebhooks: false, internals: { resolveHost } });
    const org = await newOrg(strict, 'tenant');
    for (const issuer of [
      hidden.issuer,
      'https://10.1.2.3',
      'https://[::1]',
      'https://inside.example',
      'https://169.254.169.254',
    ]) {
      const { status, body } = await org.post(path, newProvider({ issuer }));
      expect([status, body.errors]).toMatchObject([400, [{ pointer: '/issuer' }]]);
    }
    // The name is public when the provider is added, and private when it is used.
    let address = '93.184.216.34';
    await using moving = await startTestServer({
      allowPrivateWebhooks: false,
      internals: { resolveHost: async () => [{ address, family: 4 }] },
    });
    const tenant = await newOrg(moving, 'tenant');
    expect((await tenant.post(path, newProvider({ id: 'moving', issuer: 'https://id.example' }))).status).toBe(201);
    address = '127.0.0.1';
    expect(errorOf(await new HttpBrowser().open(startOf(moving, 'tenant~moving')))).toBe('provider-unavailable');
    const { body } = await tenant.get<Page<{ data: { detail: string } }>>('/v1/admin-events?type=sign-in.failed');
    expect(body.data[0]?.data.detail).toBe('ERR_PRIVATE_ADDRESS');
    // The org of the operator may, because its admins run the server.
    expect((await strict.admin.post(path, newProvider({ issuer: hidden.issuer }))).status).toBe(201);
  });
});

describe('the configuration', () => {
  const provider = {
    id: 'env',
    name: 'Company',
    issuer: idp.issuer,
    clientId: 'env',
    clientSecret,
    signUp: true,
    allowedDomains: ['*'],
  };

  test('[PE100] has providers for the org of the operator, which the API shows and cannot change', async () => {
    await using own = await startTestServer({ identityProviders: [provider] });
    idp.register({ client_id: 'env', client_secret: clientSecret, redirect_uris: [`${own.url}/auth/env/callback`] });
    const browser = new HttpBrowser();
    await signInAt(browser, startOf(own, 'env'), { user: 'ben' });
    expect(await meOf(browser, own)).toMatchObject({ orgId: 'default', name: 'ben' });
    const { body } = await own.admin.get<Page<IdentityProvider>>(path);
    expect(body.data).toMatchObject([{ id: 'env', source: 'environment', hasSecret: true }]);
    expect(JSON.stringify(body)).not.toContain(clientSecret);
    const refused = await Promise.all([
      own.admin.call(`${path}/env`, { method: 'PATCH', body: { name: 'x' } }),
      own.admin.call(`${path}/env`, { method: 'DELETE' }),
    ]);
    expect(refused.map(({ body: { code } }) => code)).toEqual(['provider-read-only', 'provider-read-only']);
    expect((await own.admin.post(path, newProvider({ id: 'env' }))).body).toMatchObject({ code: 'provider-exists' });
  });

  test('[PE100] of the guide is valid', () => {
    const guide = readFileSync(new URL('../../../../../docs/guides/sign-in.md', import.meta.url), 'utf8');
    const [, text = ''] = /```json\n([\s\S]+?)```/.exec(guide) ?? [];
    expect(readConfig([], { HOLDPOINT_OIDC: text }).identityProviders).toMatchObject([{ id: 'acme', signUp: true }]);
  });

  test('[PE100] is read from the environment or a file, and its mistakes show no secret', () => {
    const text = JSON.stringify([provider]);
    expect(readConfig([], { HOLDPOINT_OIDC: text }).identityProviders).toEqual([provider]);
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-oidc-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'providers.json');
    writeFileSync(file, text);
    expect(readConfig(['--oidc-file', file], {}).identityProviders).toEqual([provider]);
    expect(readConfig([], {})).not.toHaveProperty('identityProviders');
    const mistake = (given: string, args: string[] = []) => {
      try {
        readConfig(args, { HOLDPOINT_OIDC: given });
      } catch (error) {
        return (error as Error).message;
      }
      return 'none';
    };
    expect(mistake(`[{"clientSecret": "${clientSecret}"`)).toBe('HOLDPOINT_OIDC is not valid JSON');
    expect(mistake('{}')).toBe('HOLDPOINT_OIDC must be a JSON array of identity providers');
    expect(mistake(JSON.stringify([{ ...provider, issuer: 'http://id.example', x: clientSecret }]))).toMatch(
      /^HOLDPOINT_OIDC is not valid\. \/0\/x/,
    );
    expect(mistake(JSON.stringify([{ ...provider, issuer: 'http://id.example' }]))).toContain(
      '/0/issuer: The issuer must begin with https://.',
    );
    expect(mistake(JSON.stringify([provider, provider]))).toBe(
      'HOLDPOINT_OIDC has two identity providers with the id env',
    );
    expect(mistake(text, ['--oidc-file', file])).toBe('use either --oidc-file or HOLDPOINT_OIDC');
    expect(() => readConfig(['--oidc-file', '/nowhere.json'], {})).toThrow(
      '--oidc-file /nowhere.json cannot be read: ENOENT',
    );
    expect(mistake(JSON.stringify([{ ...provider, clientSecret: 7 }]))).not.toContain(clientSecret);
  });
});

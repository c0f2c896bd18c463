/** A provider that is down, slow or changing: the server starts, answers in bounded time, and recovers. */
import { afterAll, expect, test } from 'vitest';
import { HttpBrowser } from '../../oidc/http-browser.ts';
import { startIdentityProvider } from '../../oidc/identity-provider.ts';
import { connect, errorOf, isCallback, meOf, signInAt, startOf } from '../../oidc/sign-in-of-a-test.ts';
import { startTestServer } from '../../test-server.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const open = { signUp: true, allowedDomains: ['*'] };
let count = 0;

async function newProvider() {
  const idp = await startIdentityProvider();
  const id = `down-${count++}`;
  await connect(server, idp, { ...open, id });
  const enter = async () => {
    const browser = new HttpBrowser();
    const done = await signInAt(browser, startOf(server, id), { user: 'ada' });
    return errorOf(done) ?? (await meOf(browser, server))?.via;
  };
  return { idp, id, enter };
}

test('[PE101] a provider that is down at the start is asked again at the next sign-in', async () => {
  const { idp, enter } = await newProvider();
  await idp.stop();
  await server.restart();
  expect(await enter()).toBe('provider-unavailable');
  expect((await fetch(`${server.url}/console/sign-in`)).status).toBe(200);
  await idp.start();
  idp.register({ ...idp.client, redirect_uris: [`${server.url}/auth/down-0/callback`] });
  expect(await enter()).toBe('oidc');
  await idp[Symbol.asyncDispose]();
});

test('[PE101] its discovery is loaded once, kept for an hour, and used on while it cannot be loaded', async () => {
  const { idp, id, enter } = await newProvider();
  await using _ = idp;
  const loads = () => idp.requests.filter((request) => request.includes('.well-known')).length;
  await Promise.all(Array.from({ length: 5 }, () => new HttpBrowser().send(startOf(server, id))));
  expect(loads()).toBe(1);
  expect(await enter()).toBe('oidc');
  expect(loads()).toBe(1);
  server.clock.offsetMs = 3_700_000;
  idp.intercept = (request, response) => {
    if (!request.url?.includes('.well-known')) return false;
    response.writeHead(503).end();
    return true;
  };
  const begun = await new HttpBrowser().send(startOf(server, id));
  expect(begun.headers.get('location')).toContain(`${idp.issuer}/auth?`);
  await expect.poll(loads).toBe(2);
  idp.intercept = undefined;
  server.clock.offsetMs = 0;
});

test('[PE102] follows the keys of the provider when they change', async () => {
  const { idp, enter } = await newProvider();
  await using _ = idp;
  expect(await enter()).toBe('oidc');
  await idp.rotateKeys();
  // A key that is not known is looked up every five seconds at most.
  await expect.poll(enter, { interval: 1_000, timeout: 20_000 }).toBe('oidc');
});

test.each([
  ['does not answer', (): void => {}],
  ['sends headers and no end', (response: { write(text: string): void }): void => response.write('{')],
])('[PE101] a provider that %s delays a sign-in for seconds only', { timeout: 60_000 }, async (_name, reply) => {
  const { idp, id } = await newProvider();
  await using _ = idp;
  const browser = new HttpBrowser();
  const { url } = await signInAt(browser, startOf(server, id), { user: 'ada', until: isCallback });
  idp.intercept = (request, response) => {
    if (!request.url?.startsWith('/token')) return false;
    reply(response);
    return true;
  };
  const startedAt = performance.now();
  const before = await Promise.race([browser.open(url), fetch(`${server.url}/health`).then(() => 'others go on')]);
  expect(before).toBe('others go on');
  await expect.poll(() => performance.now() - startedAt > 4_000, { timeout: 20_000 }).toBe(true);
  const again = new HttpBrowser();
  const late = await signInAt(again, startOf(server, id), { user: 'ada' });
  expect(errorOf(late)).toBe('provider-unavailable');
  expect(performance.now() - startedAt).toBeLessThan(25_000);
});

test.each([
  ['is not JSON', 200, '<html>'],
  ['names another issuer', 200, '{"issuer":"https://other.example"}'],
  ['has no keys', 200, ''],
  ['is larger than a megabyte', 200, `{"x":"${'x'.repeat(2_000_000)}"}`],
  ['is a redirect', 302, ''],
])('[PE101][PE104] a document that %s is refused', async (_name, status, body) => {
  const { idp, id } = await newProvider();
  await using _ = idp;
  idp.intercept = (_request, response) => {
    const keyless = JSON.stringify({ issuer: idp.issuer, authorization_endpoint: `${idp.issuer}/auth` });
    const headers = {
      'content-type': 'application/json',
      ...(status === 302 ? { location: 'https://evil.example' } : {}),
    };
    response.writeHead(status, headers).end(body || keyless);
    return true;
  };
  const done = await new HttpBrowser().open(startOf(server, id));
  expect(['invalid-response', 'provider-unavailable']).toContain(errorOf(done));
  expect(done.trail.every((url) => url.startsWith(server.url))).toBe(true);
});

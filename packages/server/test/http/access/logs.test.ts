import { once } from 'node:events';
import type { Interaction, Webhook } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { newPlace } from '../../new-place.ts';
import { spawnServer } from '../../spawned-server.ts';
import { adminKey } from '../../test-server.ts';
import { exchange } from '../requests/raw-http.ts';
import { call, header, signIn } from './console-caller.ts';

test('[AN9][WH11][CO4] the log, at its most talkative, holds no key, token, secret or word of a body', async () => {
  await using place = await newPlace();
  const server = await spawnServer({ place, args: ['--log-level', 'trace', '--allow-private-webhooks'] });
  let log = '';
  server.process.stderr?.setEncoding('utf8').on('data', (chunk) => {
    log += chunk;
  });
  const { admin } = server;
  const words = [
    'w-title',
    'w-text',
    'w-secret',
    'w-value',
    'w-reason',
    'w-meta',
    'w-query',
    'w-broken',
    'w-idempotent',
    'w-header',
    'w-url',
    'whsec_',
  ];
  await admin.post(
    '/v1/threads',
    { id: 't', title: 'w-title', metadata: { a: 'w-meta' } },
    { 'idempotency-key': 'w-idempotent' },
  );
  const headers = { 'X-A': 'w-header' };
  const { body: hook } = await admin.post<Webhook>('/v1/webhooks', { url: 'http://127.0.0.1:9/w-url', headers });
  await admin.post('/v1/webhooks', { url: 'http://127.0.0.1:9/w-url', headers: { host: 'w-header' } });
  await admin.post(`/v1/webhooks/${hook.id}/test`);
  await admin.post('/v1/threads/t/messages', { text: 'w-text' });
  const fields = [
    { name: 'a', type: 'text', label: 'w-title' },
    { name: 'b', type: 'password', label: 'B' },
  ];
  const asked = await admin.post<Interaction>('/v1/threads/t/interactions', { title: 'w-title', fields });
  const path = `/v1/interactions/${asked.body.id}`;
  const key = (await admin.post<{ secret: string }>('/v1/keys', { name: 'w-title', role: 'agent' })).body.secret;
  const minted = { responderId: 'ada', threadId: 't' };
  const { token } = (await admin.post<{ token: string }>('/v1/responder-tokens', minted)).body;
  const caller = new Client(server.url, token);
  await caller.post(`${path}/answers`, { values: { a: 7, b: 'w-secret', wrong: 'w-value' } });
  await caller.post(`${path}/answers`, { values: { a: 'w-value', b: 'w-secret' }, reason: 'w-reason' });
  await caller.post(`${path}/answers`, { values: { a: 'w-value', b: 'w-secret' }, reason: 'w-reason' });
  await new Client(server.url, key).post(`${path}/secrets`);
  await new Client(server.url, `${key}x`).get('/v1/threads');
  await new Client(server.url, `${token}x`).get('/v1/threads');
  await admin.call('/v1/threads', { method: 'POST', body: '{"title":"w-broken' });
  await admin.call('/v1/threads', { method: 'POST', body: 'w-broken', headers: { 'content-type': 'text/plain' } });
  await admin.post('/v1/threads', { 'w-broken': 1 });
  await admin.get('/v1/threads?w-query=w-query');
  await admin.get('/w-query/%zz?w-query');
  await exchange(server.url, `w-broken\r\nauthorization: Bearer ${adminKey}\r\n\r\n`);
  const { cookie } = await signIn(server.url, adminKey);
  await call(server.url, '/v1/threads', { headers: { ...header, cookie } });
  await call(server.url, '/console/session', {
    headers: { ...header, cookie: `${cookie}x` },
    body: { link: 'w-secret' },
  });
  await call(server.url, `/a/${token}`);
  const logged = once(server.process.stderr ?? server.process, 'end');
  await server.kill('SIGTERM');
  await logged;

  expect(log).toContain('"route":"/v1/interactions/:interactionId/answers"');
  expect(log).toContain('"status":422');
  for (const word of [...words, adminKey, key, token, token.split('.')[2] ?? token, cookie.split('=')[1] ?? cookie])
    expect(log).not.toContain(word);
});

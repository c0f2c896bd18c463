import { afterAll, expect, test, vi } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

test('[N12] five calls of /readyz, one after the other, wait for four pauses of 100 ms', async () => {
  const startedAt = performance.now();
  for (let call = 0; call < 5; call++) expect((await admin.get('/readyz')).status).toBe(200);
  expect(performance.now() - startedAt).toBeGreaterThan(390);
});

test('[X1] /healthz and /readyz say that it lives and takes writes', async () => {
  expect((await admin.as(undefined).get('/healthz')).body).toEqual({ status: 'ok', version: expect.any(String) });
  expect((await admin.as(undefined).get('/readyz')).body).toEqual({ status: 'ready' });
});

test('[X1] /metrics counts events and calls by route, and names no thread, person or org', async () => {
  const { id, threadId } = await admin.ask({ title: 'very-private-title' });
  await admin.answer(id);
  await admin.get('/v1/threads/some-private-id');
  await admin.get('/somewhere/else');
  // An event is counted when the commit calls its listeners, which may be a moment after the response.
  const text = await vi.waitFor(async () => {
    const reply = await fetch(`${server.url}/metrics`);
    expect(reply.headers.get('content-type')).toContain('text/plain');
    const metrics = await reply.text();
    expect(metrics).toContain('holdpoint_events_total{type="interaction.answered"} 1');
    return metrics;
  });
  expect(text).toMatch(
    /holdpoint_http_request_duration_seconds_count\{method="POST",route="\/v1\/threads\/:threadId\/interactions",status="201"\} 1/,
  );
  expect(text).toMatch(/duration_seconds_count\{method="GET",route="none",status="404"\} 1/);
  for (const secret of [threadId, id, 'private', 'default', 'test-admin-key']) expect(text).not.toContain(secret);
});

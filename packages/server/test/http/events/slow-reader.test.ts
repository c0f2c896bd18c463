import { once } from 'node:events';
import type { LogEvent } from '@holdpoint/protocol';
import { expect, test, vi } from 'vitest';
import { adminKey } from '../../test-server.ts';
import { startSpecServer } from '../openapi/spec-server.ts';
import { openSocket } from '../requests/raw-http.ts';
import { EventReader } from './event-reader.ts';

test('[L5] a reader that stops reading is cut off, others are not, and resuming brings it everything it missed', async () => {
  await using server = await startSpecServer();
  const { admin } = server;
  const { id } = await admin.newThread();
  const quick = await EventReader.open(admin);
  const slow = openSocket(server.url);
  slow.on('error', () => {});
  slow.write(`GET /v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${adminKey}\r\n\r\n`);
  await once(slow, 'readable');
  await vi.waitFor(async () => expect(await admin.metric('holdpoint_streams')).toBe(2), 20_000);
  slow.pause();

  // The kernel's buffers take some megabytes before the server notices that nobody reads.
  const text = 'x'.repeat(90_000);
  let written = 0;
  while ((await admin.metric('holdpoint_streams')) === 2) {
    expect(written, 'the slow reader was never cut off').toBeLessThan(1_000);
    await Promise.all(Array.from({ length: 8 }, () => admin.made(`/v1/threads/${id}/messages`, { text })));
    written += 8;
    await quick.take(8);
  }

  let received = '';
  slow.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  slow.resume();
  await once(slow, 'close');
  // Whole frames only: the last one may have been cut in two.
  const ids = [...received.matchAll(/^id: ([0-9a-f]{16})\nevent: message\.created\ndata: \{.*\}\n$/gm)].map(
    ([, cursor]) => cursor,
  );
  expect(ids.length).toBeLessThan(written);
  const resumed = await EventReader.open(admin, '/v1/events', { 'last-event-id': ids.at(-1) ?? 'start' });
  const missed: LogEvent[] = await resumed.take(written - ids.length);
  expect(missed.map(({ seq }) => seq)).toEqual(
    Array.from({ length: written - ids.length }, (_, i) => ids.length + i + 2),
  );
  await Promise.all([resumed.close(), quick.close()]);
});

test('[L5] a replay far larger than what a stream may pile up reaches a reader that reads', async () => {
  await using server = await startSpecServer();
  const { admin } = server;
  const { id } = await admin.newThread();
  const text = 'x'.repeat(90_000);
  for (let i = 0; i < 10; i++)
    await Promise.all(Array.from({ length: 10 }, () => admin.made(`/v1/threads/${id}/messages`, { text })));
  const reader = await EventReader.open(admin, '/v1/events?after=start');
  expect((await reader.take(101)).map(({ seq }) => seq)).toEqual(Array.from({ length: 101 }, (_, i) => i + 1));
  await reader.close();
});

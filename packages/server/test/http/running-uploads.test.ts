import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { receiveFile } from '../../src/http/receive-file.ts';
import { runningUploads } from '../../src/http/running-uploads.ts';
import { upload, uploadsOf } from '../files-of-tests.ts';
import { openSocket } from './raw-http.ts';
import { startSpecServer } from './spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const megabyte = 1024 * 1024;
const ask = () => admin.ask({ title: 'Show me', options: undefined, fields: [{ name: 'photo', type: 'file_upload' }] });

const begin = (id: string, token = '') => {
  const socket = openSocket(server.url);
  onTestFinished(() => void socket.destroy());
  const head = [
    `POST ${uploadsOf(id)} HTTP/1.1`,
    ...['host: x', `authorization: Bearer ${token}`, 'content-type: application/octet-stream'],
    ...[`content-length: ${megabyte}`, '', ''],
  ];
  socket.write(head.join('\r\n'));
  socket.write(new Uint8Array(megabyte / 2));
  return socket;
};

test('[UP12] four uploads of one person run at once, whatever their tokens, and others are not in their way', async () => {
  const { id } = await ask();
  const tokens = [await admin.withToken({ interactionId: id }), await admin.withToken({ interactionId: id })];
  const [ada] = tokens;
  if (!ada) throw new Error('there are two');
  const begun = [0, 1, 0, 1, 0].map((i) => begin(id, tokens[i]?.token));
  const answered = begun.map(async (socket) => ({ socket, answer: String((await once(socket, 'data'))[0]) }));
  // The others wait for the rest of their files.
  const refused = await Promise.race(answered);
  for (const each of answered) each.catch(() => {});
  expect(refused.answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 5\r\n[\s\S]*At most 4 uploads of one person/i);
  expect((await upload(await admin.withToken({ interactionId: id, responderId: 'bob' }), id)).status).toBe(201);
  expect((await upload(admin, id)).status).toBe(201);
  begun.find((socket) => socket !== refused.socket)?.destroy();
  await expect.poll(async () => (await upload(ada, id)).status).toBe(201);
});

test('[UP12] a process runs sixty-four', () => {
  const beginUpload = runningUploads();
  const key = { kind: 'key', orgId: 'o', keyId: 'k', role: 'agent' } as const;
  const over = Array.from({ length: 64 }, () => beginUpload(key));
  expect(() => beginUpload(key)).toThrow('At most 64 uploads run at once');
  over[0]?.();
  over[0]?.();
  beginUpload(key);
  expect(() => beginUpload(key)).toThrow('At most 64 uploads run at once');
});

test('[UP12] of one person forty files for a field wait for an answer; one that is deleted or answered makes room', async () => {
  const { id } = await admin.ask({
    ...{ title: 'Show me', options: undefined, resolution: { mode: 'quorum', count: 2 } },
    fields: [
      { name: 'photo', type: 'file_upload' },
      { name: 'second', type: 'file_upload', required: false },
    ],
  });
  // Those of the test before may still be running.
  const ada = await admin.withToken({ interactionId: id, responderId: 'eve' });
  const ids: string[] = [];
  for (let i = 0; i < 10; i++) {
    const some = await Promise.all([1, 2, 3, 4].map(() => upload(ada, id)));
    ids.push(...some.map(({ body }) => body.file_id));
  }
  expect(new Set(ids).size).toBe(40);
  expect(await upload(ada, id)).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
  expect((await upload(ada, id, { field: 'second' })).status).toBe(201);
  expect((await upload(await admin.withToken({ interactionId: id, responderId: 'bob' }), id)).status).toBe(201);
  await admin.call(`/v1/files/${ids[7]}`, { method: 'DELETE' });
  expect((await upload(ada, id)).status).toBe(201);
  expect((await upload(ada, id)).status).toBe(429);
  expect((await ada.answer(id, { photo: { file_id: ids[3] } })).status).toBe(200);
  expect((await upload(ada, id)).status).toBe(201);
  expect((await upload(ada, id)).status).toBe(429);
});

test.each([
  ['trickles', 300, 60_000],
  ['sends nothing more', 0, 60_000],
  ['takes for ever', 2_000, 1_800_000],
])('[UP1] one that %s is broken off', async (_what, bytes, afterMs) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const raw = Object.assign(new PassThrough(), { socket: {}, complete: false });
  const { file } = receiveFile({ raw, headers: {}, query: {} } as unknown as FastifyRequest);
  let fault: unknown;
  const reading = (async () => {
    for await (const _piece of (await file).content);
  })().catch((error) => {
    fault = error;
  });
  raw.write(new Uint8Array(5_000));
  for (let ms = 0; ms < afterMs; ms += 10_000) {
    expect(fault).toBeUndefined();
    raw.write(new Uint8Array(bytes));
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(10_000);
  }
  await reading;
  expect(fault).toMatchObject({ code: 'request-timeout' });
});

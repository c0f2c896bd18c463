import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { HoldpointError } from '@holdpoint/protocol';
import type { FastifyRequest } from 'fastify';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Caller } from '../../../src/domain/caller.ts';
import { receiveFile } from '../../../src/http/files/receive-file.ts';
import { runningUploads } from '../../../src/http/files/running-uploads.ts';
import { upload, uploadsOf } from '../../files-of-tests.ts';
import { startSpecServer } from '../openapi/spec-server.ts';
import { openSocket } from '../requests/raw-http.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const megabyte = 1024 * 1024;
const wanted = { title: 'Show me', options: undefined, fields: [{ name: 'photo', type: 'file_upload' }] };
const ask = () => admin.ask(wanted);

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
  expect(refused.answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 5\r\n[\s\S]*A person can run at most 4 uploads/i);
  expect((await upload(await admin.withToken({ interactionId: id, responderId: 'bob' }), id)).status).toBe(201);
  expect((await upload(admin, id)).status).toBe(201);
  begun.find((socket) => socket !== refused.socket)?.destroy();
  await expect.poll(async () => (await upload(ada, id)).status).toBe(201);
});

describe('shares', () => {
  const key = (orgId: string, keyId = 'k'): Caller => ({ kind: 'key', orgId, keyId, role: 'agent' });
  const visitor = (threadId: string): Caller => ({
    ...{ kind: 'responder', orgId: 'a', responderId: 'customer:ada' },
    scope: { threadId, isSession: true },
  });

  /** Begins as many as it can get, and says why there are no more. */
  function setUp() {
    const beginUpload = runningUploads();
    const cut: { orgId: string; fault: unknown }[] = [];
    const begin = (caller: Caller, address = '10.0.0.1') =>
      beginUpload({ caller, address, breakOff: (fault) => void cut.push({ orgId: caller.orgId, fault }) });
    const beginAll = (callers: (index: number) => Caller, address?: string) => {
      const over: (() => void)[] = [];
      try {
        for (let index = 0; index < 100; index++) over.push(begin(callers(index), address));
      } catch (error) {
        return { over, refusal: error as HoldpointError };
      }
      throw new Error('a hundred run');
    };
    return { cut, begin, beginAll };
  }

  test('[UP30] one key alone runs sixteen, all keys of one org thirty-two, and others find a place', () => {
    const { begin, beginAll, cut } = setUp();
    const one = beginAll(() => key('a'));
    expect(one.over).toHaveLength(16);
    expect(one.refusal.fault).toMatchObject({ code: 'rate-limited', retryAfterMs: 5_000 });
    expect(one.refusal.message).toMatch(/You already run 16 uploads/);
    const more = beginAll((index) => key('a', `another ${index}`));
    expect(more.over).toHaveLength(16);
    expect(more.refusal.message).toMatch(/Your org already runs 32 uploads/);
    begin(key('b'))();
    one.over[0]?.();
    one.over[0]?.();
    begin(key('a', 'third'));
    expect(() => begin(key('a', 'fourth'))).toThrow('Your org already runs 32 uploads');
    expect(cut).toEqual([]);
  });

  test('[UP30] the share of an org gets smaller as others take theirs, and every key has a part of it', () => {
    const { beginAll } = setUp();
    const held = ['a', 'b', 'c', 'd'].map((orgId) => beginAll((index) => key(orgId, `k${index}`)).over.length);
    expect(held).toEqual([32, 16, 8, 4]);
  });

  test('[UP31] where all places are taken, the oldest upload of the org with the most gives way to an org without one', () => {
    const { begin, beginAll, cut } = setUp();
    const orgs = Array.from({ length: 7 }, (_, index) => `org${index}`);
    const held = orgs.map((orgId) => beginAll((index) => key(orgId, `k${index}`)).over.length);
    expect(held).toEqual([32, 16, 8, 4, 2, 1, 1]);
    begin(key('late'));
    expect(cut).toMatchObject([{ orgId: 'org0', fault: { fault: { code: 'rate-limited', retryAfterMs: 5_000 } } }]);
    // A holder that runs an upload already takes no place from another org.
    expect(() => begin(key('late'))).toThrow('The server runs at most 64 uploads at once');
    for (let index = 0; index < 56; index++) begin(key(`later${index}`));
    expect(new Set(cut.map(({ orgId }) => orgId))).toEqual(new Set(orgs.slice(0, 5)));
    expect(() => begin(key('last'))).toThrow('The server runs at most 64 uploads at once');
    expect(cut).toHaveLength(57);
  });

  test('[UP30] sessions are counted by their thread, whatever customer they claim to be, and by their address', () => {
    const { begin, beginAll } = setUp();
    expect(beginAll(() => visitor('t1')).refusal.message).toMatch(/A person can run at most 4 uploads/);
    begin(visitor('t2'), '10.0.0.2');
    expect(beginAll((index) => visitor(`many${index}`)).refusal.message).toMatch(/which is your limit/);
    begin(key('a'));
    begin(visitor('t3'), '10.0.0.3');
  });
});

test('[UP30] while one key holds all it can get, an upload of another org finds a place', async () => {
  const { id } = await ask();
  const { token } = await admin.withKey();
  const other = await admin.withOrg('neighbour');
  const refusals = Array.from({ length: 20 }, () => begin(id, token)).map(async (socket) => {
    const [answer] = await once(socket, 'data');
    return String(answer);
  });
  for (const each of refusals) each.catch(() => {});
  // The others wait for the rest of their files.
  const refusal = await Promise.race(refusals);
  expect(refusal).toMatch(
    /^HTTP\/1\.1 429 [\s\S]*retry-after: 5\r\n[\s\S]*You already run \d+ uploads, which is your limit/i,
  );
  const theirs = await other.ask(wanted);
  expect((await upload(other, theirs.id)).status).toBe(201);
});

test('[UP31] an upload that is broken off ends with the fault it is given', async () => {
  const raw = Object.assign(new PassThrough(), { socket: {}, complete: false });
  const { file, breakOff } = receiveFile({ raw, headers: {}, query: {} } as unknown as FastifyRequest);
  raw.write(new Uint8Array(5_000));
  const reading = (async () => {
    for await (const _piece of (await file).content)
      breakOff(new HoldpointError({ code: 'rate-limited', detail: 'x' }));
  })();
  await expect(reading).rejects.toMatchObject({ code: 'rate-limited' });
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

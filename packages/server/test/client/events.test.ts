/** Events over HTTP: each once, in order, whatever happens to the connection. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Holdpoint, type LogEvent } from '@holdpoint/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serversOfATest } from '../servers-of-a-test.ts';
import { adminKey, startTestServer } from '../test-server.ts';

/** Hands everything on to the server and back; its connections can be cut, and are counted. */
async function startBetween(url: string) {
  const open = new Set<Socket>();
  const between = createServer((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    open.add(near);
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy()).on('close', () => open.delete(near) && far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => between.once('listening', resolve));
  const cut = () => {
    for (const near of open) near.destroy();
  };
  onTestFinished(() => {
    cut();
    between.close();
  });
  return { url: `http://127.0.0.1:${(between.address() as AddressInfo).port}`, open, cut };
}

describe('[CL7] each event comes once, in order', () => {
  test('where connections are cut in the middle', async () => {
    await using server = await startTestServer();
    const between = await startBetween(server.url);
    const { body: thread } = await server.admin.post<{ id: string }>('/v1/threads', {});
    const say = (text: string) => server.admin.post(`/v1/threads/${thread.id}/messages`, { text });
    const hp = new Holdpoint({ url: between.url, key: adminKey });
    const states: boolean[] = [];
    const seqs: number[] = [];
    const onConnection = (isThere: boolean) => void states.push(isThere);
    for await (const { seq } of hp.events({ threadId: thread.id, after: 'start', onConnection })) {
      seqs.push(seq);
      if (seq === 12) break;
      // Long, so that a cut comes in the middle of a frame now and then.
      await say('x'.repeat(100_000));
      if (seq % 4 === 0) between.cut();
    }
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(states).toEqual([false, true, false, true]);
  });

  test('from where it began, though nothing had come before the connection was lost', async () => {
    await using server = await startTestServer();
    const between = await startBetween(server.url);
    const { body: thread } = await server.admin.post<{ id: string }>('/v1/threads', {});
    const say = (text: string) => server.admin.post(`/v1/threads/${thread.id}/messages`, { text });
    await say('Before');
    let seen: LogEvent | undefined;
    const follow = async () => {
      const hp = new Holdpoint({ url: between.url, key: adminKey });
      const onConnection = (isThere: boolean) => void (isThere || say('Meanwhile'));
      for await (const event of hp.events({ threadId: thread.id, onConnection })) {
        seen = event;
        break;
      }
    };
    const following = follow();
    // The stream is open once the server has said where it begins; what is cut before that begins later.
    await expect.poll(() => between.open.size).toBe(1);
    await expect.poll(() => [...between.open].every((near) => near.bytesWritten > 200)).toBe(true);
    between.cut();
    await following;
    expect(seen?.data).toMatchObject({ message: { blocks: [{ payload: { text: 'Meanwhile' } }] } });
  });
});

test('[CL7] a token for an inbox goes on from now on, and what it missed is in the list', async () => {
  await using server = await startTestServer();
  const between = await startBetween(server.url);
  const admin = new Holdpoint({ url: server.url, key: adminKey });
  const { id: threadId } = await admin.createThread({});
  const ask = (title: string) => admin.create(threadId, { title, responder: { type: 'human', assignees: ['ann'] } });
  const { token: key } = await admin.mintResponderToken({ responderId: 'ann', inbox: true });
  let meanwhile: Promise<unknown> | undefined;
  /** Asks as soon as the stream is open, and opens none while something is asked. */
  const fetch: typeof globalThis.fetch = async (...call) => {
    await meanwhile;
    const response = await globalThis.fetch(...call);
    await ask(meanwhile ? 'Later' : 'First');
    return response;
  };
  const onConnection = (isThere: boolean) => {
    if (!isThere) meanwhile = ask('Meanwhile');
  };
  const titles: string[] = [];
  for await (const { data } of new Holdpoint({ url: between.url, key, fetch }).events({ onConnection })) {
    if ('interaction' in data) titles.push(data.interaction.title);
    if (titles.length === 2) break;
    between.cut();
  }
  expect(titles).toEqual(['First', 'Later']);
  const waiting = await new Holdpoint({ url: server.url, key }).listInteractions({ order: 'oldest' });
  expect(waiting.data.map(({ title }) => title)).toEqual(['First', 'Meanwhile', 'Later']);
});

describe('where the server is killed', () => {
  const servers = serversOfATest();

  test('[CL7] goes on after the last event when it is back', async () => {
    const first = await servers.start();
    const hp = new Holdpoint({ url: first.url, key: adminKey });
    await hp.createThread({ id: 'before' });
    const seen: string[] = [];
    for await (const { threadId } of hp.events({ after: 'start', types: ['thread.created'] })) {
      seen.push(threadId);
      if (threadId === 'after') break;
      await first.kill('SIGKILL');
      await servers.start({ args: ['--port', new URL(first.url).port] });
      await hp.createThread({ id: 'after' });
    }
    expect(seen).toEqual(['before', 'after']);
  });

  test('[CL7] one that was never there is thrown, and so is what is refused', async () => {
    const server = await servers.start();
    const first = (hp: Holdpoint, options = {}) => hp.events(options)[Symbol.asyncIterator]().next();
    const stranger = new Holdpoint({ url: server.url, key: 'no-such-key' });
    await expect(first(stranger)).rejects.toMatchObject({ code: 'unauthenticated' });
    const hp = new Holdpoint({ url: server.url, key: adminKey, retryForMs: 0 });
    await expect(first(hp, { after: 'nonsense' })).rejects.toMatchObject({ code: 'invalid-cursor' });
    await server.kill('SIGKILL');
    await expect(first(hp)).rejects.toThrow('cannot be reached');
  });
});

test('[CL7] leaving the loop closes the connection', async () => {
  await using server = await startTestServer();
  const between = await startBetween(server.url);
  await server.admin.post('/v1/threads', { id: 'one' });
  for await (const { threadId } of new Holdpoint({ url: between.url, key: adminKey }).events({ after: 'start' })) {
    expect(threadId).toBe('one');
    expect(between.open.size).toBe(1);
    break;
  }
  await expect.poll(() => between.open.size).toBe(0);
});

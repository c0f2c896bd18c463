/** Following over HTTP, where what answers is no server, or says nothing, or says more than is wanted. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type FollowOptions, Holdpoint, HoldpointError } from '../src/index.ts';

afterEach(() => void vi.useRealTimers());

const url = 'http://holdpoint.example';
const follow = (fetch: typeof globalThis.fetch, options: FollowOptions = {}) =>
  new Holdpoint({ url, key: 'k', fetch }).events(options)[Symbol.asyncIterator]();

const frames = (...seqs: number[]) => seqs.map((seq) => `id: ${seq}\ndata: {"seq":${seq}}\n\n`).join('');
const stream = (body: string | ReadableStream) =>
  new Response(body, { headers: { 'content-type': 'text/event-stream' } });
const page = () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } });

/** Never answers, but for its signal. */
const silent = (_url: unknown, { signal }: RequestInit = {}) =>
  new Promise<Response>((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

test('[CL6] no event comes after the signal, though it is there', async () => {
  const stop = new AbortController();
  const events = follow(async () => stream(frames(1, 2, 3)), { signal: stop.signal });
  expect((await events.next()).value).toEqual({ seq: 1 });
  stop.abort();
  expect(await events.next()).toEqual({ done: true, value: undefined });
});

describe('[CL7] what answers and is no server', () => {
  test('is thrown, and let go of', async () => {
    let signal: AbortSignal | null | undefined;
    const events = follow(async (_url, init) => {
      signal = init?.signal;
      return page();
    });
    const refused = await events.next().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HoldpointError);
    expect(refused).toMatchObject({ message: `The server at ${url} sends no events.` });
    expect(signal?.aborted).toBe(true);
  });

  test('is a lost connection where the server was there before', async () => {
    vi.useFakeTimers();
    const replies = [stream(frames(1)), page(), stream(frames(2))];
    const asked: string[] = [];
    const connections: boolean[] = [];
    const fetch = async (at: unknown) => {
      asked.push(new URL(String(at)).search);
      return replies.shift() ?? page();
    };
    const events = follow(fetch, { onConnection: (isThere) => void connections.push(isThere) });
    expect((await events.next()).value).toEqual({ seq: 1 });
    const next = events.next();
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await next).value).toEqual({ seq: 2 });
    expect(asked).toEqual(['', '?after=1', '?after=1']);
    expect(connections).toEqual([false, true]);
    await events.return?.();
  });
});

describe('[CL7] a server that takes the call and says nothing', () => {
  test('is thrown, after a while', async () => {
    vi.useFakeTimers();
    const thrown = expect(follow(silent).next()).rejects.toThrow(`The server at ${url} cannot be reached.`);
    await vi.advanceTimersByTimeAsync(60_000);
    await thrown;
  });

  test('is asked again where it was there before, and a stream that lives is not cut', async () => {
    vi.useFakeTimers();
    let live: ReadableStreamDefaultController | undefined;
    const body = new ReadableStream({
      start(controller) {
        live = controller;
      },
    });
    const say = (text: string) => live?.enqueue(new TextEncoder().encode(text));
    const fetch = vi
      .fn(silent)
      .mockImplementationOnce(async () => stream(frames(1)))
      .mockImplementationOnce(silent)
      .mockImplementationOnce(async () => stream(body));
    const events = follow(fetch);
    expect((await events.next()).value).toEqual({ seq: 1 });
    const next = events.next();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetch).toHaveBeenCalledTimes(3);
    for (const _ of [1, 2, 3]) {
      say(': keep-alive\n\n');
      await vi.advanceTimersByTimeAsync(30_000);
    }
    say(frames(2));
    expect((await next).value).toEqual({ seq: 2 });
    expect(fetch).toHaveBeenCalledTimes(3);
    await events.return?.();
  });
});

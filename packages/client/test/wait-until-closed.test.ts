/** Waiting, where a server or something before it does not wait as long as it was asked to. */
import { HoldpointError } from '@holdpoint/protocol';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Interaction, waitUntilClosed } from '../src/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pending = { id: 'int_1', status: 'pending', votes: [] } as unknown as Interaction;
const answered = { ...pending, status: 'answered' } as Interaction;

/** Who asks without a pause would never let a timer run. */
function answering(reply: () => Promise<Interaction>) {
  let calls = 0;
  return vi.fn(() => (++calls > 100 ? Promise.reject(new Error('It was asked too often.')) : reply()));
}

describe('[CL5] a server that does not wait', () => {
  test.each([
    ['answers at once that it is pending', 4, async () => pending],
    [
      'is shutting down for long',
      1,
      () => Promise.reject(new HoldpointError({ code: 'shutting-down', detail: 'It is stopping.', retryable: true })),
    ],
  ])('and %s is asked %i times a second at most', async (_what, times, reply) => {
    const waitForInteraction = answering(reply);
    const waiting = waitUntilClosed({ waitForInteraction }, pending);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(waitForInteraction).toHaveBeenCalledTimes(10 * times);
    waitForInteraction.mockImplementation(async () => answered);
    await vi.advanceTimersByTimeAsync(1);
    expect(await waiting).toBe(answered);
  });

  test('keeps nobody beyond their time, nor beyond their signal', async () => {
    const service = { waitForInteraction: answering(async () => pending) };
    const bounded = waitUntilClosed(service, pending, { timeoutMs: 100 });
    await vi.advanceTimersByTimeAsync(100);
    expect(await bounded).toBe(pending);
    const stop = new AbortController();
    const stopped = waitUntilClosed(service, pending, { signal: stop.signal });
    await vi.advanceTimersByTimeAsync(100);
    stop.abort();
    expect(await stopped).toBe(pending);
  });
});

test('[CL5] who was kept waiting for as long as was asked is asked again at once', async () => {
  const waitForInteraction = vi.fn(async ({ timeoutMs = 0 }: { timeoutMs?: number }) => {
    await new Promise((resolve) => setTimeout(resolve, timeoutMs));
    return pending;
  });
  void waitUntilClosed({ waitForInteraction }, pending, { timeoutMs: 100_000 });
  await vi.advanceTimersByTimeAsync(75_000);
  expect(waitForInteraction).toHaveBeenCalledTimes(4);
});

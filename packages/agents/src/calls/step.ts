/** The calls `step`, `sleep`, `now` and `random`: each keeps its result, so that a replay has the same. */
import type { HoldpointService } from '@holdpoint/protocol';
import type { RetryPolicy, StepInfo } from '../agent.ts';
import { asJson } from '../engine/as-json.ts';
import { type CallKind, keepValue, type LiveCall, recallValue } from '../engine/call.ts';
import { type KeptError, keepError } from '../engine/errors.ts';

/** During a longer pause the run waits on the server, and takes no memory here. */
const shortPauseMs = 2_000;

/** The year 10000, which RFC 3339 cannot write. */
const endOfTime = 253_402_300_800_000;

/** The note of a failed attempt that was not the last. */
interface FailedAttempt {
  attempt: number;
  error: KeptError;
  nextAt: string;
}

/** Runs a side effect and keeps its result, or runs it again as its policy says. */
export function step<T>(
  { service, now }: { service: HoldpointService; now(): number },
  name: string,
  run: (step: StepInfo) => Promise<T> | T,
  { attempts = 3, firstDelayMs = 1_000, maxDelayMs = 60_000, timeoutMs = 300_000 }: RetryPolicy = {},
): CallKind<T> {
  const takeSecrets = async (interactionId: string) => (await service.takeSecrets({ interactionId })).values;
  return {
    type: 'step',
    name,
    async play(call) {
      const failed = call.notes.at(-1) as FailedAttempt | undefined;
      if (failed) await until(Date.parse(failed.nextAt), call, now);
      for (let attempt = (failed?.attempt ?? 0) + 1; ; attempt++) {
        await call.ready();
        const info = { attempt, idempotencyKey: call.key, takeSecrets };
        try {
          const value = await withinTime(call.signal, timeoutMs, (signal) => run({ ...info, signal }));
          return keep(value, name);
        } catch (error) {
          if (error instanceof NotKept) throw error.cause;
          if (call.signal.aborted) return new Promise(() => {});
          if (isFinal(error) || attempt >= attempts) throw error;
          const nextAt = now() + Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs);
          const note = { attempt, error: keepError(error), nextAt: new Date(nextAt).toISOString() };
          call.note(note satisfies FailedAttempt);
          await until(nextAt, call, now);
        }
      }
    },
    recall: recallValue<T>,
  };
}

/** The result cannot be kept. The side effect was done, so another attempt would not help. */
class NotKept extends Error {}

function keep<T>(given: T, name: string) {
  try {
    return keepValue(asJson(given, `Step "${name}"`));
  } catch (cause) {
    throw new NotKept('', { cause });
  }
}

/** Checks the name, because the author may use another copy of this package. */
const isFinal = (error: unknown): boolean => error instanceof Error && error.name === 'NoRetry';

async function until(time: number, call: LiveCall, now: () => number): Promise<void> {
  while (time > now()) {
    const ms = time - now();
    if (ms > shortPauseMs) await call.waitUntil(time);
    else await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

/** Does not wait for an attempt that ignores its signal. */
async function withinTime<T>(stop: AbortSignal, ms: number, run: (signal: AbortSignal) => Promise<T> | T): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  const end = (reason: unknown) => controller.abort(reason);
  const onStop = () => end(stop.reason);
  stop.addEventListener('abort', onStop, { once: true });
  const timer = setTimeout(() => end(new Error(`It took longer than ${ms} ms.`)), ms);
  try {
    return await Promise.race([run(signal), aborted]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

/** While a run sleeps, only a timer of the server knows it. */
export const sleep = (time: number | Date, now: () => number): CallKind<void> => ({
  type: 'sleep',
  name: '',
  async play(call) {
    const noted = call.notes.at(-1) as { until: string } | undefined;
    const until = noted ? Date.parse(noted.until) : endOf(time, now());
    if (!noted) call.note({ until: new Date(until).toISOString() });
    while (until > now()) await call.waitUntil(until);
    return { data: undefined, value: undefined, at: until };
  },
  recall: () => undefined,
});

function endOf(time: number | Date, now: number): number {
  const until = Math.ceil(typeof time === 'number' ? now + Math.max(0, time) : time.getTime());
  if (until >= 0 && until < endOfTime) return until;
  throw new RangeError(`A sleep takes milliseconds or a time before the year 10000, not ${String(time)}.`);
}

/** Reads a clock or draws a number. */
export const noted = (type: 'now' | 'random', read: () => number): CallKind<number> => ({
  type,
  name: '',
  play: async () => keepValue(read()),
  recall: recallValue<number>,
});

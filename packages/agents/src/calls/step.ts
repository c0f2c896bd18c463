/** The call `step`: runs a side effect and keeps its result, or runs it again as its policy says. */
import type { FreeObject, HoldpointService } from '@holdpoint/protocol';
import type { RetryPolicy, StepInfo } from '../agent.ts';
import { asJson } from '../engine/as-json.ts';
import type { CallKind, LiveCall } from '../engine/call.ts';
import { type KeptError, keepError } from '../engine/errors.ts';

/** During a longer pause the run waits on the server, and takes no memory here. */
const shortPauseMs = 2_000;

type Do<T> = (step: StepInfo) => Promise<T> | T;

/** The note of a failed attempt that was not the last. */
interface FailedAttempt {
  attempt: number;
  error: KeptError;
  nextAt: string;
}

interface StepPlace {
  service: HoldpointService;
  now(): number;
}

export const step = <T>(
  { service, now }: StepPlace,
  name: string,
  run: Do<T>,
  policy: RetryPolicy = {},
): CallKind<T> => {
  const { attempts = 3, timeoutMs = 300_000 } = policy;
  return {
    type: 'step',
    name,
    async play(call) {
      const failed = call.notes.at(-1) as FailedAttempt | undefined;
      if (failed) await until(Date.parse(failed.nextAt), call, now);
      for (let attempt = (failed?.attempt ?? 0) + 1; ; attempt++) {
        await call.ready();
        const info = { attempt, idempotencyKey: call.key, takeSecrets: takeSecrets(service) };
        try {
          const value = await withinTime(call.signal, timeoutMs, (signal) => run({ ...info, signal }));
          return keep(value, name);
        } catch (error) {
          if (error instanceof NotKept) throw error.cause;
          if (call.signal.aborted) return new Promise(() => {});
          if (isFinal(error) || attempt >= attempts) throw error;
          const nextAt = now() + delayOf(policy, attempt);
          call.note({
            attempt,
            error: keepError(error),
            nextAt: new Date(nextAt).toISOString(),
          } satisfies FailedAttempt);
          await until(nextAt, call, now);
        }
      }
    },
    recall: (data) => (data as { value?: T }).value as T,
  };
};

/** The result cannot be kept. The side effect was done, so another attempt would not help. */
class NotKept extends Error {}

function keep<T>(given: T, name: string): { data: unknown; value: T } {
  try {
    const value = asJson(given, `Step "${name}"`);
    return { data: value === undefined ? {} : { value }, value };
  } catch (cause) {
    throw new NotKept('', { cause });
  }
}

/** Checks the name, because the author may use another copy of this package. */
const isFinal = (error: unknown): boolean => error instanceof Error && error.name === 'NoRetry';

function delayOf({ firstDelayMs = 1_000, maxDelayMs = 60_000 }: RetryPolicy, attempt: number): number {
  return Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs);
}

async function until(time: number, call: LiveCall, now: () => number): Promise<void> {
  while (time > now()) {
    const ms = time - now();
    if (ms > shortPauseMs) await call.waitUntil(time);
    else await new Promise((resolve) => setTimeout(resolve, ms));
  }
}

const takeSecrets =
  (service: HoldpointService) =>
  async (interactionId: string): Promise<FreeObject> =>
    (await service.takeSecrets({ interactionId })).values;

/** Does not wait for an attempt that ignores its signal. */
async function withinTime<T>(stop: AbortSignal, ms: number, run: (signal: AbortSignal) => Promise<T> | T): Promise<T> {
  const controller = new AbortController();
  const end = (reason: unknown) => controller.abort(reason);
  const onStop = () => end(stop.reason);
  stop.addEventListener('abort', onStop, { once: true });
  const timer = setTimeout(() => end(new Error(`It took longer than ${ms} ms.`)), ms);
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  aborted.catch(() => {});
  try {
    return await Promise.race([Promise.resolve(run(controller.signal)), aborted]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

/** What an attempt makes of its delivery. */
import type { Attempt, Delivery } from '@holdpoint/protocol';
import { timestamp } from '../state.ts';
import { nextAttempt, type RetryPolicy } from './retry.ts';

export interface Attempted extends Attempt {
  retryAfterMs?: number;
}

export interface Settling {
  now: number;
  random: number;
  /** When its webhook was last enabled; the time until it is given up does not begin before. */
  enabledAt: number;
  policy?: RetryPolicy;
}

export const isTaken = ({ status, error }: Attempt): boolean =>
  error === undefined && status !== undefined && status >= 200 && status < 300;

/** The endpoint says that it wants no more of them. */
export const isGone = ({ status }: Attempt): boolean => status === 410;

export function settle(
  delivery: Delivery,
  attempted: Attempted,
  { now, random, enabledAt, policy }: Settling,
): Delivery {
  const { retryAfterMs, ...attempt } = attempted;
  const { nextAttemptAt: _, ...rest } = delivery;
  const attempts = [...delivery.attempts, attempt];
  if (isTaken(attempt)) return { ...rest, status: 'delivered', attempts, settledAt: timestamp(now) };
  const firstAt = Math.max(Date.parse(attempts[0]?.at ?? attempt.at), enabledAt);
  const at = nextAttempt(
    { count: attempts.length, firstAt, now, random, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    policy,
  );
  if (at === undefined) return { ...rest, status: 'dead', attempts, settledAt: timestamp(now) };
  return { ...rest, status: 'pending', attempts, nextAttemptAt: timestamp(at) };
}

/** Without an attempt, because there is nothing to send. */
export function giveUp(delivery: Delivery, error: string, now: number): Delivery {
  const { nextAttemptAt: _, ...rest } = delivery;
  const at = timestamp(now);
  return { ...rest, status: 'dead', attempts: [...delivery.attempts, { at, durationMs: 0, error }], settledAt: at };
}

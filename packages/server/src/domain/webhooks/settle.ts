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

/** Attempts to hand something over, and what came of them. */
type Attempts = Pick<Delivery, 'attempts' | 'nextAttemptAt' | 'settledAt'> & { status: string };
type Settled<A extends Attempts> = Omit<A, 'status'> & { status: Delivery['status'] };

export function settle<A extends Attempts>(
  delivery: A,
  attempted: Attempted,
  { now, random, enabledAt, policy }: Settling,
): Settled<A> {
  const { retryAfterMs, ...attempt } = attempted;
  const attempts = [...delivery.attempts, attempt];
  if (isTaken(attempt)) return after(delivery, { status: 'delivered', attempts, settledAt: timestamp(now) });
  const firstAt = Math.max(Date.parse(attempts[0]?.at ?? attempt.at), enabledAt);
  const at = nextAttempt(
    { count: attempts.length, firstAt, now, random, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) },
    policy,
  );
  if (at === undefined) return after(delivery, { status: 'dead', attempts, settledAt: timestamp(now) });
  return after(delivery, { status: 'pending', attempts, nextAttemptAt: timestamp(at) });
}

/** Without an attempt, because there is nothing to send. */
export function giveUp<A extends Attempts>(delivery: A, error: string, now: number): Settled<A> {
  const at = timestamp(now);
  const attempts = [...delivery.attempts, { at, durationMs: 0, error }];
  return after(delivery, { status: 'dead', attempts, settledAt: at });
}

function after<A extends Attempts>({ nextAttemptAt: _, ...delivery }: A, now: Settled<Attempts>): Settled<A> {
  return { ...delivery, ...now } as unknown as Settled<A>;
}

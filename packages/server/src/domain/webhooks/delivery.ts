/** The life of a delivery: new, attempted, then delivered or given up. Callbacks are attempted by the same rules. */
import type { Attempt, Delivery, LogEvent } from '@holdpoint/protocol';
import { timestamp } from '../state.ts';
import { nextAttempt, type RetryPolicy } from './retry.ts';

export function newDelivery(
  { cursor, threadId, seq, type }: Pick<LogEvent, 'cursor' | 'threadId' | 'seq' | 'type'>,
  { id, webhookId, now }: { id: string; webhookId: string; now: number },
): Delivery {
  const event = { cursor, threadId, seq, type };
  return { id, webhookId, event, status: 'pending', attempts: [], createdAt: timestamp(now) };
}

export interface Attempted extends Attempt {
  retryAfterMs?: number;
}

export interface Settling {
  now: number;
  random: number;
  /** When its webhook was last enabled. The time until a delivery is given up does not begin before. */
  enabledAt: number;
  policy?: RetryPolicy;
}

export const isTaken = ({ status, error }: Attempt): boolean =>
  error === undefined && status !== undefined && status >= 200 && status < 300;

/** Reports whether the endpoint wants no more deliveries. */
export const isGone = ({ status }: Attempt): boolean => status === 410;

/** A delivery or a callback. */
type Attempts = Pick<Delivery, 'attempts' | 'nextAttemptAt' | 'settledAt'> & { status: string };
type Settled<A extends Attempts> = Omit<A, 'status'> & { status: Delivery['status'] };

/** Adds an attempt: the delivery is delivered, waits for its next attempt, or is given up. */
export function settle<A extends Attempts>(
  delivery: A,
  attempted: Attempted,
  { now, random, enabledAt, policy }: Settling,
): Settled<A> {
  const { retryAfterMs = 0, ...attempt } = attempted;
  const attempts = [...delivery.attempts, attempt];
  if (isTaken(attempt)) return after(delivery, { status: 'delivered', attempts, settledAt: timestamp(now) });
  const firstAt = Math.max(Date.parse(attempts[0]?.at ?? attempt.at), enabledAt);
  const at = nextAttempt({ count: attempts.length, firstAt, now, random, retryAfterMs }, policy);
  if (at === undefined) return after(delivery, { status: 'dead', attempts, settledAt: timestamp(now) });
  return after(delivery, { status: 'pending', attempts, nextAttemptAt: timestamp(at) });
}

/** Gives up without an attempt because there is nothing to send. */
export function giveUp<A extends Attempts>(delivery: A, error: string, now: number): Settled<A> {
  const at = timestamp(now);
  const attempts = [...delivery.attempts, { at, durationMs: 0, error }];
  return after(delivery, { status: 'dead', attempts, settledAt: at });
}

/** Gives up because the caller skips all pending deliveries. */
export const skip = (delivery: Delivery, now: number): Delivery =>
  after(delivery, { status: 'dead', attempts: delivery.attempts, settledAt: timestamp(now) });

function after<A extends Attempts>({ nextAttemptAt: _, ...delivery }: A, now: Settled<Attempts>): Settled<A> {
  return { ...delivery, ...now } as unknown as Settled<A>;
}

/** The writes of the node that sends a callback (`delivery/callbacks.ts`). */
import { defined } from '@holdpoint/protocol';
import { isUnsettled, type StoredCallback, settleCallback } from '../../domain/callbacks/callback.ts';
import { type Attempted, giveUp } from '../../domain/webhooks/delivery.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry.ts';
import type { Document } from '../../stores/documents.ts';
import type { Context } from '../context.ts';

type Tools = Pick<Context, 'store' | 'clock'>;

export interface LeasedCallback {
  orgId: string;
  callback: Document<'callback'>;
}

/** Moves the timer past the attempt, so that no other node sends at the same time. Undefined: another node sends, or nothing is left to send. */
export async function leaseCallback(
  { store, clock }: Tools,
  { orgId, id }: { orgId: string; id: string },
  leaseMs: number,
): Promise<LeasedCallback | undefined> {
  const found = await store.getDocument({ orgId, type: 'callback', id });
  if (!found || !isUnsettled(found.record)) {
    await store.commit({ orgId, timers: [{ kind: 'callback', id, dueAt: null }] });
    return undefined;
  }
  const { ok } = await store.commit({
    orgId,
    documents: [{ type: 'callback', id, record: found.record, expected: found.revision }],
    timers: [{ kind: 'callback', id, dueAt: clock.now() + leaseMs }],
  });
  const callback = ok ? await store.getDocument({ orgId, type: 'callback', id }) : undefined;
  return callback && { orgId, callback };
}

/** The node stops during the attempt, so another one is due at once. */
export async function releaseCallback({ store, clock }: Tools, { orgId, callback }: LeasedCallback): Promise<void> {
  await store.commit({ orgId, timers: [{ kind: 'callback', id: callback.id, dueAt: clock.now() }] });
}

export async function saveCallbackAttempt(
  tools: Tools,
  leased: LeasedCallback,
  attempted: Attempted,
  policy?: RetryPolicy,
): Promise<void> {
  const settling = { now: tools.clock.now(), random: Math.random(), ...defined({ policy }) };
  await save(tools, leased, settleCallback(leased.callback.record, attempted, settling));
}

/** Gives up because there is nothing to send, or the key that asked was revoked. */
export async function giveUpCallback(tools: Tools, leased: LeasedCallback, reason: string): Promise<void> {
  await save(tools, leased, giveUp(leased.callback.record, reason, tools.clock.now()));
}

async function save({ store }: Tools, { orgId, callback }: LeasedCallback, record: StoredCallback): Promise<void> {
  const { id, revision: expected } = callback;
  const { nextAttemptAt } = record;
  await store.commit({
    orgId,
    documents: [{ type: 'callback', id, record, expected }],
    timers: [{ kind: 'callback', id, dueAt: nextAttemptAt === undefined ? null : Date.parse(nextAttemptAt) }],
  });
}

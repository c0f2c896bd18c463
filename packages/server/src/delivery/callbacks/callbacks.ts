/**
 * Sends callbacks. A timer that is stored with the end of the question makes one due; whoever takes it on first moves that timer past
 * the attempt, so that no other node sends at the same time and a node that dies is followed by another.
 */

import { callbackMessage, type StoredCallback } from '../../domain/callbacks/stored-callback.ts';
import type { Caller } from '../../domain/caller.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry.ts';
import { giveUp, isGone, settle } from '../../domain/webhooks/settle.ts';
import type { Clock } from '../../operations/context.ts';
import type { Document, Store } from '../../stores/store.ts';
import type { Addresses } from '../webhooks/addresses.ts';
import { Sender } from '../webhooks/sender.ts';
import type { CallbackSecrets } from './callback-secrets.ts';

const timeoutMs = 15_000;
/** Longer than an attempt takes. */
const leaseMs = 25_000;
/** Attempts of one org at a time. The rest waits, so that no crowd of dead addresses takes all sockets. */
const perOrg = 8;
const mostWaiting = 1_000;

export interface CallbacksOptions {
  store: Pick<Store, 'getDocument' | 'getInteraction' | 'getApiKey' | 'commit'>;
  clock: Clock;
  addresses: Addresses;
  userAgent: string;
  drainMs: number;
  secretOf: CallbackSecrets;
  policy?: RetryPolicy;
}

interface Due {
  orgId: string;
  id: string;
}

export class Callbacks {
  readonly #options: CallbacksOptions;
  readonly #stopping = new AbortController();
  readonly #orgs = new Map<string, { running: number; waiting: (() => void)[] }>();
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  constructor(options: CallbacksOptions) {
    this.#options = options;
  }

  secretOf({ orgId, keyId }: Caller & { kind: 'key' }): string {
    return this.#options.secretOf({ orgId, keyId });
  }

  /** Resolves after the attempt. One that finds too many before it is left alone: its timer falls due again. */
  async fire(due: Due): Promise<void> {
    const running = this.#inTurn(due);
    this.#running.add(running);
    await running.finally(() => this.#running.delete(running));
  }

  /** Begins no more. What is under way has its time to finish; what is cut off is due at once after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const cutOff = setTimeout(() => this.#stopping.abort(), this.#options.drainMs);
    await Promise.allSettled(this.#running);
    clearTimeout(cutOff);
  }

  async #inTurn(due: Due): Promise<void> {
    const org = this.#orgs.get(due.orgId) ?? { running: 0, waiting: [] };
    if (org.waiting.length >= mostWaiting) return;
    this.#orgs.set(due.orgId, org);
    if (org.running >= perOrg) await new Promise<void>((begin) => org.waiting.push(begin));
    else org.running++;
    try {
      if (!this.#isStopped) await this.#attempt(due);
    } finally {
      const next = org.waiting.shift();
      if (next) next();
      else if (--org.running === 0) this.#orgs.delete(due.orgId);
    }
  }

  async #attempt({ orgId, id }: Due): Promise<void> {
    const { store, clock, policy } = this.#options;
    const leased = await this.#lease({ orgId, id });
    if (!leased) return;
    const { record } = leased;
    const interaction = await store.getInteraction({ orgId, id });
    const key = await store.getApiKey({ orgId, id: record.keyId });
    const refusal = key?.record.revokedAt ? 'The key that asked was revoked.' : undefined;
    if (!interaction || refusal)
      return this.#save(orgId, leased, giveUp(record, refusal ?? 'It is gone.', clock.now()));
    const attempted = await this.#send(orgId, record, callbackMessage(interaction));
    const now = clock.now();
    if (this.#stopping.signal.aborted) {
      await store.commit({ orgId, timers: [{ kind: 'callback', id, dueAt: now }] });
      return;
    }
    const settling = { now, random: Math.random(), enabledAt: 0, ...(policy ? { policy } : {}) };
    const settled = settle(record, attempted, settling);
    const isOver = isGone(attempted) && settled.status === 'pending';
    await this.#save(orgId, leased, isOver ? giveUp(settled, 'The address wants no more requests.', now) : settled);
  }

  /** Undefined if another node has it, or if there is nothing left to send. */
  async #lease({ orgId, id }: Due): Promise<Document<'callback'> | undefined> {
    const { store, clock } = this.#options;
    const found = await store.getDocument({ orgId, type: 'callback', id });
    const isOpen = found && (found.record.status === 'waiting' || found.record.status === 'pending');
    const dueAt = isOpen ? clock.now() + leaseMs : null;
    const { ok } = await store.commit({
      orgId,
      ...(isOpen ? { documents: [{ type: 'callback', id, record: found.record, expected: found.revision }] } : {}),
      timers: [{ kind: 'callback', id, dueAt }],
    });
    return isOpen && ok ? store.getDocument({ orgId, type: 'callback', id }) : undefined;
  }

  async #save(orgId: string, { id, revision }: Document<'callback'>, record: StoredCallback): Promise<void> {
    const { nextAttemptAt } = record;
    await this.#options.store.commit({
      orgId,
      documents: [{ type: 'callback', id, record, expected: revision }],
      timers: [{ kind: 'callback', id, dueAt: nextAttemptAt === undefined ? null : Date.parse(nextAttemptAt) }],
    });
  }

  /** By a sender of its own: addresses are as many as questions, and a pool for each would never go. */
  async #send(orgId: string, { url, keyId }: StoredCallback, message: { id: string; body: string }) {
    const sender = new Sender({ ...this.#options, orgId });
    const record = { url, timeoutMs, concurrency: 1, format: 'standard' } as const;
    const secrets = [{ secret: this.#options.secretOf({ orgId, keyId }) }];
    try {
      return await sender.send({ record, secrets, headers: {} }, message, this.#stopping.signal);
    } finally {
      await sender.close();
    }
  }
}

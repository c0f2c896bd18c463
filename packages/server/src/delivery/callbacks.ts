/** Sends callbacks. A timer that is saved with the end of the question makes each one due. */
import { callbackMessage } from '../domain/callbacks/callback.ts';
import type { Caller } from '../domain/caller.ts';
import type { Attempted } from '../domain/webhooks/delivery.ts';
import type { RetryPolicy } from '../domain/webhooks/retry.ts';
import {
  giveUpCallback,
  type LeasedCallback,
  leaseCallback,
  releaseCallback,
  saveCallbackAttempt,
} from '../operations/callbacks/send-callback.ts';
import type { CallbackSecrets } from '../signing/server-secret.ts';
import type { Claim, Store } from '../stores/store.ts';
import { OrgLimit } from './org-limit.ts';
import { Sender, type SenderOptions } from './webhooks/sender.ts';

const timeoutMs = 15_000;
/** Longer than an attempt takes. */
const leaseMs = 25_000;
/** Attempts of one org at a time, so that a thousand dead addresses do not take all sockets. */
const perOrg = 8;
const mostWaiting = 1_000;

export interface CallbacksOptions extends Omit<SenderOptions, 'orgId'> {
  store: Store;
  drainMs: number;
  secretOf: CallbackSecrets;
  policy?: RetryPolicy;
}

type Due = Pick<Claim, 'orgId' | 'id'>;

export class Callbacks {
  readonly #options: CallbacksOptions;
  readonly #stopping = new AbortController();
  readonly #limit = new OrgLimit(perOrg);
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  constructor(options: CallbacksOptions) {
    this.#options = options;
  }

  secretOf({ orgId, keyId }: Caller & { kind: 'key' }): string {
    return this.#options.secretOf({ orgId, keyId });
  }

  /** Resolves after the attempt. If too many attempts of the org wait, the callback is left alone and its timer fires again. */
  async fire(due: Due): Promise<void> {
    if (this.#limit.waiting(due.orgId) >= mostWaiting) return;
    const running = this.#limit.run(due.orgId, async () => {
      if (!this.#isStopped) await this.#attempt(due);
    });
    this.#running.add(running);
    await running.finally(() => this.#running.delete(running));
  }

  /** Begins no more attempts, and lets those under way finish. An attempt that is cut off is due at once after the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const cutOff = setTimeout(() => this.#stopping.abort(), this.#options.drainMs);
    await Promise.allSettled(this.#running);
    clearTimeout(cutOff);
  }

  async #attempt(due: Due): Promise<void> {
    const { store, policy } = this.#options;
    const leased = await leaseCallback(this.#options, due, leaseMs);
    if (!leased) return;
    const { orgId, id } = due;
    const interaction = await store.getInteraction({ orgId, id });
    if (!interaction) return giveUpCallback(this.#options, leased, 'The question no longer exists.');
    const key = await store.getApiKey({ orgId, id: leased.callback.record.keyId });
    if (key?.record.revokedAt) return giveUpCallback(this.#options, leased, 'The key that asked was revoked.');
    const attempted = await this.#send(leased, callbackMessage(interaction));
    if (this.#stopping.signal.aborted) return releaseCallback(this.#options, leased);
    await saveCallbackAttempt(this.#options, leased, attempted, policy);
  }

  /** Each attempt has a sender of its own: there are as many addresses as questions, and a pool for each would never end. */
  async #send({ orgId, callback }: LeasedCallback, message: { id: string; body: string }): Promise<Attempted> {
    const { url, keyId } = callback.record;
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

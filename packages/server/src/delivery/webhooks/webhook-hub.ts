/** The webhooks whose leases this node holds. Tells each runner of committed events and of changes. */
import type { Attempt } from '@holdpoint/protocol';
import { CoalescedRunner } from '../../coalesced-runner.ts';
import { timestamp } from '../../domain/state.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry.ts';
import type { StoredWebhook } from '../../domain/webhooks/webhook.ts';
import type { Clock, Webhooks } from '../../operations/context.ts';
import type { EventHead, Store } from '../../stores/store.ts';
import { type LeasedJob, Leases } from '../leases.ts';
import type { Addresses } from './addresses.ts';
import { testMessageOf } from './message.ts';
import { WebhookRunner } from './runner.ts';
import { Sender } from './sender.ts';

/** Webhooks are checked for changes by other nodes at most this often. Under load there is a write all the time. */
const checkMs = 200;

export interface WebhookHubOptions {
  store: Store;
  clock: Clock;
  newId(): string;
  addresses: Addresses;
  userAgent: string;
  policy?: RetryPolicy;
  drainMs: number;
  onError(error: unknown): void;
}

export class WebhookHub implements Webhooks {
  readonly #options: WebhookHubOptions;
  #leases: Leases | undefined;
  readonly #runners = new Map<string, Set<WebhookRunner>>();
  #unsubscribe: (() => void)[] = [];
  readonly #stopping = new AbortController();
  readonly #checking: CoalescedRunner;

  constructor(options: WebhookHubOptions) {
    this.#options = options;
    this.#checking = new CoalescedRunner({
      run: async () => this.#checkAll(),
      onError: options.onError,
      everyMs: checkMs,
    });
  }

  start(): void {
    const { store, clock, onError } = this.#options;
    this.#unsubscribe = [
      store.onCommitted((heads) => this.#notice(heads)),
      store.onWritten(() => this.#checking.trigger()),
    ];
    this.#leases = new Leases({ store, clock, kind: 'webhook', begin: (claim) => this.#begin(claim), onError });
  }

  checkUrl(url: string, orgId: string) {
    return this.#options.addresses.check(url, orgId);
  }

  async test(stored: StoredWebhook, orgId: string): Promise<Attempt> {
    const { newId, clock } = this.#options;
    const sender = new Sender({ ...this.#options, orgId });
    const message = testMessageOf(stored, { id: newId(), at: timestamp(clock.now()) });
    const { retryAfterMs: _, ...attempt } = await sender.send(stored, message, this.#stopping.signal);
    await sender.close();
    return attempt;
  }

  changed(): void {
    this.#leases?.look();
    this.#checkAll();
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#stopping.abort();
    await this.#checking.stop();
    await this.#leases?.stop();
  }

  #begin(claim: { orgId: string; id: string }): LeasedJob {
    const sender = new Sender({ ...this.#options, orgId: claim.orgId });
    const runner = new WebhookRunner(claim, {
      ...this.#options,
      sender,
      random: Math.random,
    });
    const ofOrg = this.#runners.get(claim.orgId) ?? new Set();
    this.#runners.set(claim.orgId, ofOrg.add(runner));
    return {
      stop: () => {
        ofOrg.delete(runner);
        if (ofOrg.size === 0 && this.#runners.get(claim.orgId) === ofOrg) this.#runners.delete(claim.orgId);
        return runner.stop();
      },
    };
  }

  #notice(heads: readonly EventHead[]): void {
    if (this.#runners.size === 0) return;
    for (const [orgId, ofOrg] of Map.groupBy(heads, (head) => head.orgId))
      for (const runner of this.#runners.get(orgId) ?? []) runner.notice(ofOrg);
  }

  #checkAll(): undefined {
    for (const runners of this.#runners.values()) for (const runner of runners) runner.check();
  }
}

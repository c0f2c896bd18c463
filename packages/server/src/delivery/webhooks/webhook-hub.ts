/** All webhooks of this node: takes on those that no node has, and passes on to each what concerns it. */
import type { Attempt } from '@holdpoint/protocol';
import { timestamp } from '../../domain/state.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry.ts';
import type { StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Clock, Webhooks } from '../../operations/context.ts';
import type { EventHead, Store } from '../../stores/store.ts';
import { Duties, type Duty } from '../duties.ts';
import type { Addresses } from './addresses.ts';
import { testMessageOf } from './message.ts';
import { WebhookRunner } from './runner.ts';
import { Sender } from './sender.ts';

/** Changes by other nodes are noticed after this time at most, while there is something written at all. */
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
  #duties: Duties | undefined;
  readonly #runners = new Map<string, Set<WebhookRunner>>();
  #unsubscribe: (() => void)[] = [];
  readonly #stopping = new AbortController();
  #checkTimer: NodeJS.Timeout | undefined;
  #isWritten = false;

  constructor(options: WebhookHubOptions) {
    this.#options = options;
  }

  start(): void {
    const { store, clock, onError } = this.#options;
    this.#unsubscribe = [store.onCommitted((heads) => this.#hear(heads)), store.onWritten(() => this.#checkSoon())];
    this.#duties = new Duties({ store, clock, kind: 'webhook', begin: (claim) => this.#begin(claim), onError });
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
    this.#duties?.look();
    for (const runner of this.#all()) runner.check();
  }

  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#checkTimer);
    this.#stopping.abort();
    await this.#duties?.stop();
  }

  #begin(claim: { orgId: string; id: string }): Duty {
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

  #hear(heads: readonly EventHead[]): void {
    if (this.#runners.size === 0) return;
    for (const [orgId, ofOrg] of Map.groupBy(heads, (head) => head.orgId))
      for (const runner of this.#runners.get(orgId) ?? []) runner.hear(ofOrg);
  }

  /** At once, and then not again for a while: under load something is written all the time. */
  #checkSoon(): void {
    if (this.#checkTimer) {
      this.#isWritten = true;
      return;
    }
    this.#isWritten = false;
    for (const runner of this.#all()) runner.check();
    this.#checkTimer = setTimeout(() => {
      this.#checkTimer = undefined;
      if (this.#isWritten) this.#checkSoon();
    }, checkMs);
  }

  *#all(): Iterable<WebhookRunner> {
    for (const runners of this.#runners.values()) yield* runners;
  }
}

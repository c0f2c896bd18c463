/** The webhooks whose leases this node holds. Notifies each runner of changes. */
import type { Attempt } from '@holdpoint/protocol';
import { CoalescedRunner } from '../../coalesced-runner.ts';
import { timestamp } from '../../domain/state.ts';
import type { StoredWebhook } from '../../domain/webhooks/webhook.ts';
import type { Webhooks } from '../../operations/context.ts';
import type { Claim } from '../../stores/store.ts';
import { Leases } from '../leases.ts';
import { testMessageOf } from './message.ts';
import { type RunnerOptions, WebhookRunner } from './runner.ts';
import { Sender, type SenderOptions } from './sender.ts';

/** Webhooks are checked for changes by other nodes at most this often. Under load there is a write all the time. */
const checkMs = 200;

export type WebhookHubOptions = Omit<RunnerOptions, 'sender' | 'random'> & Omit<SenderOptions, 'orgId'>;

export class WebhookHub implements Webhooks {
  readonly #options: WebhookHubOptions;
  #leases: Leases<WebhookRunner> | undefined;
  #unsubscribe = () => {};
  readonly #stopping = new AbortController();
  readonly #checking: CoalescedRunner;

  constructor(options: WebhookHubOptions) {
    this.#options = options;
    const { onError } = options;
    this.#checking = new CoalescedRunner({ run: async () => this.#checkAll(), onError, everyMs: checkMs });
  }

  start(): void {
    const options = this.#options;
    this.#unsubscribe = options.store.onWritten(() => this.#checking.trigger());
    const begin = (claim: Claim) => {
      const sender = new Sender({ ...options, orgId: claim.orgId });
      return new WebhookRunner(claim, { ...options, sender, random: Math.random });
    };
    this.#leases = new Leases({ ...options, kind: 'webhook', begin });
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
    this.#unsubscribe();
    this.#stopping.abort();
    await this.#checking.stop();
    await this.#leases?.stop();
  }

  #checkAll(): undefined {
    for (const runners of this.#leases?.jobs.values() ?? []) for (const runner of runners) runner.check();
  }
}

/** One webhook in the hands of this node: takes in what it wants from the log, and sends until each delivery is settled. */
import { type Attempt, type Delivery, type LogEvent, limits } from '@holdpoint/protocol';
import { disable, notice, noticesThreadId } from '../../domain/webhooks/disable.ts';
import { reasonToDisable, showFailing } from '../../domain/webhooks/failing.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry.ts';
import { giveUp, settle } from '../../domain/webhooks/settle.ts';
import { readerOf, type StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Clock } from '../../operations/context.ts';
import type { Change, Document, EventHead, Store } from '../../stores/store.ts';
import type { Duty } from '../duties.ts';
import { LogReader, pageSize, type Take } from '../log-reader.ts';
import { composeMessage } from './compose-message.ts';
import { EndpointHealth } from './endpoint-health.ts';
import { filterOf } from './message.ts';
import { nextReplay } from './next-replay.ts';
import { Nudge } from './nudge.ts';
import { Outcomes } from './outcomes.ts';
import { Pending } from './pending.ts';
import { Schedule } from './schedule.ts';
import type { Sender } from './sender.ts';
import { takeIn } from './take-in.ts';

/** What is beyond stays in the log until there is room. */
const maxPending = 10_000;
const longestSleepMs = 1_000;

export interface RunnerOptions {
  store: Store;
  clock: Clock;
  newId(): string;
  random(): number;
  sender: Sender;
  policy?: RetryPolicy;
  /** How long attempts in flight may take to finish when it stops. */
  drainMs: number;
  onError(error: unknown): void;
}

interface Known {
  revision: string;
  stored: StoredWebhook;
}

export class WebhookRunner implements Duty {
  readonly #orgId: string;
  readonly #id: string;
  readonly #options: RunnerOptions;
  readonly #reader: LogReader;
  readonly #schedule = new Schedule('none');
  readonly #health: EndpointHealth;
  readonly #takeIn: Take;
  readonly #pending: Pending;
  readonly #outcomes: Outcomes;
  readonly #nudge = new Nudge();
  readonly #abort = new AbortController();
  readonly #attempts = new Set<Promise<void>>();
  /** Events that were just read, for the attempts that come at once; all others are read again. */
  readonly #fresh = new Map<string, LogEvent>();
  readonly #running: Promise<void>;
  #loading: Promise<void> = Promise.resolve();
  #known: Known | undefined;
  #isChanged = true;
  #isStopped = false;
  #lookedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ orgId, id }: { orgId: string; id: string }, options: RunnerOptions) {
    this.#orgId = orgId;
    this.#id = id;
    this.#options = options;
    const { store, onError, policy } = options;
    this.#health = new EndpointHealth(policy);
    this.#reader = new LogReader({ orgId, id: readerOf(id), store });
    this.#takeIn = takeIn({
      ...options,
      orgId,
      webhookId: id,
      onMade: (delivery, event) => {
        this.#schedule.add(delivery, options.clock.now());
        if (this.#fresh.size < limits.webhookConcurrency) this.#fresh.set(delivery.id, event);
      },
    });
    this.#pending = new Pending({ orgId, webhookId: id, store, isStopped: () => this.#isStopped });
    this.#outcomes = new Outcomes({ store, orgId, onError });
    this.#running = this.#run();
  }

  /** Events of its org were committed. */
  hear(heads: readonly EventHead[]): void {
    if (this.#reader.hears(heads)) this.#nudge.give();
  }

  /** Somebody may have changed the webhook. */
  check(): void {
    this.#isChanged = true;
    this.#nudge.give();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#nudge.give();
    clearTimeout(this.#timer);
    const cutOff = setTimeout(() => this.#abort.abort(), this.#options.drainMs);
    await Promise.all(this.#attempts);
    clearTimeout(cutOff);
    await this.#running;
    await this.#outcomes.stop();
    await this.#try(() => this.#reader.stop());
    await this.#options.sender.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      let hasMore = false;
      try {
        if (this.#isChanged) await this.#load();
        if (this.#isEnabled()) hasMore = await this.#readOn();
        this.#pump();
      } catch (error) {
        // Whether the last commit was done is not known.
        this.#options.onError(error);
        this.#isChanged = true;
        this.#pending.expectMore();
      }
      if (!hasMore && !this.#isStopped) await this.#nudge.sleep(longestSleepMs);
    }
  }

  #isEnabled(): boolean {
    return this.#known?.stored.record.status === 'enabled';
  }

  /** One after the other, because both the main loop and an attempt may ask for it. */
  #load(): Promise<void> {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#loadNow());
    return this.#loading;
  }

  async #loadNow(): Promise<void> {
    this.#isChanged = false;
    const webhook = await this.#options.store.getDocument({ orgId: this.#orgId, type: 'webhook', id: this.#id });
    if (webhook?.revision !== this.#known?.revision) this.#know(webhook);
    if (this.#known)
      await this.#pending.read(this.#outcomes.ids(), (one) => this.#schedule.add(one, this.#options.clock.now()));
  }

  #know(webhook: Document<'webhook'> | undefined): void {
    const before = this.#known?.stored;
    this.#known = webhook && { revision: webhook.revision, stored: webhook.record };
    if (!webhook) return;
    const { record, enabledAt, replayed } = webhook.record;
    this.#reader.setFilter(filterOf(webhook.record));
    this.#schedule.setOrder(record.order);
    if (before?.enabledAt !== enabledAt || before.record.url !== record.url) this.#health.stopSparing();
    if (before?.enabledAt !== enabledAt)
      this.#health.failingSince = record.failingSince === undefined ? undefined : Date.parse(record.failingSince);
    if (before?.replayed !== replayed) this.#pending.expectMore();
  }

  /** Whether there may be more to take in at once. */
  async #readOn(): Promise<boolean> {
    await this.#showFailing();
    if (this.#schedule.size > maxPending - pageSize) return false;
    const isReplaying = await this.#replay();
    const { hasMore, isMoved } = await this.#reader.read(this.#taking());
    // There may be deliveries that this node does not know.
    if (isMoved) {
      this.#isChanged = true;
      this.#pending.expectMore();
    }
    return hasMore || isReplaying;
  }

  /**
   * What was changed before an event was committed must hold for it. So the webhook is looked at once the page is there,
   * and if it is another than the one that the page was asked for, that is read again.
   */
  #taking(): Take {
    const before = this.#known?.revision;
    return async (events, moved) => {
      await this.#load();
      if (this.#known?.revision !== before) return 'overtaken';
      return events.length === 0 ? 'passed' : this.#takeIn(events, moved);
    };
  }

  /** One page of what is to be sent again. */
  async #replay(): Promise<boolean> {
    const known = this.#known;
    const replayed = known && (await nextReplay({ ...this.#options, orgId: this.#orgId, stored: known.stored }));
    if (!replayed) return false;
    const { newDeliveries, changedDeliveries } = replayed;
    const isSaved = await this.#change(known, replayed.stored, { newDeliveries, changedDeliveries });
    if (isSaved) for (const delivery of newDeliveries) this.#schedule.add(delivery, this.#options.clock.now());
    this.#pump();
    return true;
  }

  /** Begins as many attempts as may run at a time, and comes back when the next is due. */
  #pump(): void {
    clearTimeout(this.#timer);
    const { clock } = this.#options;
    if (!this.#known || !this.#isEnabled()) return;
    const { stored } = this.#known;
    const { concurrency } = stored.record;
    const now = clock.now();
    if (now < this.#lookedAt) {
      this.#schedule.clockSetBack(now);
      this.#health.clockSetBack(now);
    }
    this.#lookedAt = now;
    while (!this.#isStopped && this.#attempts.size < concurrency && this.#nextAt() <= now) {
      const delivery = this.#schedule.take(now);
      if (!delivery) break;
      if (delivery.attempts.length > 0) this.#health.noteRetry(now);
      const attempt = this.#attempt(stored, delivery).finally(() => {
        this.#attempts.delete(attempt);
        this.#pump();
      });
      this.#attempts.add(attempt);
    }
    const nextAt = this.#nextAt();
    if (this.#isStopped || nextAt === Number.POSITIVE_INFINITY || this.#attempts.size >= concurrency) return;
    // Not for longer, in case the clock jumps.
    const sleepMs = Math.min(Math.max(nextAt - now, 1), longestSleepMs);
    this.#timer = setTimeout(() => this.#pump(), sleepMs);
  }

  /** Returns the time of the next attempt. A delivery that was never attempted is due since 0. */
  #nextAt(): number {
    const dueAt = this.#schedule.nextDueAt() ?? Number.POSITIVE_INFINITY;
    return dueAt === 0 ? 0 : Math.max(dueAt, this.#health.retriesAt);
  }

  async #attempt(webhook: StoredWebhook, delivery: Delivery): Promise<void> {
    const { store, clock, random, sender, policy } = this.#options;
    try {
      const event = this.#fresh.get(delivery.id);
      this.#fresh.delete(delivery.id);
      const message = await composeMessage(store, { orgId: this.#orgId, webhook, delivery, event });
      if (this.#isStopped) return;
      if (!message) return this.#settle(giveUp(delivery, 'The format of the webhook has no such event.', clock.now()));
      const attempted = await sender.send(webhook, message, this.#abort.signal);
      // Whether it arrived is not known, so it stays pending.
      if (this.#abort.signal.aborted) return;
      const { enabledAt } = webhook;
      const now = clock.now();
      this.#settle(settle(delivery, attempted, { now, random: random(), enabledAt, ...(policy ? { policy } : {}) }));
      await this.#try(() => this.#judge(attempted, now));
    } catch (error) {
      // The store is away: the endpoint is not to blame, so this was no attempt.
      this.#options.onError(error);
      this.#schedule.retry(delivery, clock.now() + longestSleepMs, clock.now());
    }
  }

  #settle(delivery: Delivery): void {
    this.#outcomes.add(delivery);
    const now = this.#options.clock.now();
    if (delivery.nextAttemptAt !== undefined) this.#schedule.retry(delivery, Date.parse(delivery.nextAttemptAt), now);
    else this.#schedule.settled(delivery.id);
    this.#pending.noteSettled(delivery.id);
    if (this.#schedule.size === maxPending - pageSize) this.#nudge.give();
  }

  async #judge(attempt: Attempt, now: number): Promise<void> {
    this.#health.noteAttempt(attempt, now);
    const reason = reasonToDisable(attempt, this.#health.failingSince, now);
    const known = this.#known;
    // Whoever is overtaken tries again with the next attempt that fails.
    if (!reason || !known || !this.#isEnabled()) return;
    const { store } = this.#options;
    const { stored, event } = disable(known.stored, { reason, now });
    const hasThread = (await store.getThread({ orgId: this.#orgId, id: noticesThreadId })) !== undefined;
    const timers = [{ kind: 'webhook', id: this.#id, dueAt: null } as const];
    await this.#change(known, stored, { timers, ...notice(event, hasThread) });
  }

  async #showFailing(): Promise<void> {
    const known = this.#known;
    const shown = known && showFailing(known.stored, this.#health.failingSince, this.#options.clock.now());
    if (shown) await this.#change(known, shown);
  }

  /** Saves the webhook, if nobody else has changed it; either way it is looked at anew. */
  async #change(
    { revision: expected }: Known,
    stored: StoredWebhook,
    more: Omit<Change, 'orgId'> = {},
  ): Promise<boolean> {
    const documents = [{ type: 'webhook', id: this.#id, record: stored, expected } as const];
    const { ok } = await this.#options.store.commit({ orgId: this.#orgId, documents, ...more });
    await this.#load();
    return ok;
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => this.#options.onError(error));
  }
}

/**
 * Sends the deliveries of one webhook, whose lease this node holds: reads events that the webhook wants, attempts deliveries
 * until each is settled, and reports to the operations of `operations/webhooks/send-deliveries.ts`, which commit.
 */
import { type Attempt, type Delivery, defined, type LogEvent, limits } from '@holdpoint/protocol';
import { CoalescedRunner } from '../../coalesced-runner.ts';
import { giveUp, settle } from '../../domain/webhooks/delivery.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry.ts';
import { readerOf, type StoredWebhook } from '../../domain/webhooks/webhook.ts';
import type { Clock } from '../../operations/context.ts';
import {
  disableIfFailing,
  enqueueDeliveries,
  replayNextPage,
  saveFailingSince,
} from '../../operations/webhooks/send-deliveries.ts';
import type { Document } from '../../stores/documents.ts';
import type { EventHead, Store } from '../../stores/store.ts';
import type { LeasedJob } from '../leases.ts';
import { type HandlePage, LogReader, pageSize } from '../log-reader.ts';
import { EndpointHealth } from './endpoint-health.ts';
import { filterOf, messageOf } from './message.ts';
import { PendingDeliveries } from './pending-deliveries.ts';
import { Schedule } from './schedule.ts';
import type { Sender } from './sender.ts';

/** Further events stay in the log until there is room. */
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

export class WebhookRunner implements LeasedJob {
  readonly #orgId: string;
  readonly #id: string;
  readonly #options: RunnerOptions;
  readonly #reader: LogReader;
  readonly #schedule = new Schedule('none');
  readonly #health: EndpointHealth;
  readonly #pending: PendingDeliveries;
  readonly #runner: CoalescedRunner;
  readonly #abort = new AbortController();
  readonly #attempts = new Set<Promise<void>>();
  /** Events that were just read, for attempts that begin at once. All others are read again. */
  readonly #fresh = new Map<string, LogEvent>();
  #loading: Promise<void> = Promise.resolve();
  #webhook: Document<'webhook'> | undefined;
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
    this.#pending = new PendingDeliveries({ orgId, webhookId: id, store, onError });
    this.#runner = new CoalescedRunner({ run: () => this.#run(), onError: (error) => this.#failed(error) });
    this.#runner.trigger();
  }

  /** Called with committed events of the org. */
  notice(heads: readonly EventHead[]): void {
    if (this.#reader.notice(heads)) this.#runner.trigger();
  }

  /** Called when the webhook may have changed. */
  check(): void {
    this.#isChanged = true;
    this.#runner.trigger();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const cutOff = setTimeout(() => this.#abort.abort(), this.#options.drainMs);
    await Promise.all(this.#attempts);
    clearTimeout(cutOff);
    await this.#runner.stop();
    await this.#pending.stop();
    await this.#try(() => this.#reader.stop());
    await this.#options.sender.close();
  }

  async #run(): Promise<number> {
    if (this.#isStopped) return longestSleepMs;
    if (this.#isChanged) await this.#load();
    const hasMore = this.#isEnabled() && (await this.#readOn());
    this.#pump();
    return hasMore ? 0 : longestSleepMs;
  }

  /** The last commit may have been done nevertheless, so everything is loaded again. */
  #failed(error: unknown): void {
    this.#options.onError(error);
    this.#isChanged = true;
    this.#pending.expectMore();
  }

  #isEnabled(): boolean {
    return this.#webhook?.record.record.status === 'enabled';
  }

  /** Loads one after the other, because both the main loop and an attempt may ask for it. */
  #load(): Promise<void> {
    this.#loading = this.#loading.catch(() => {}).then(() => this.#loadNow());
    return this.#loading;
  }

  async #loadNow(): Promise<void> {
    this.#isChanged = false;
    const webhook = await this.#options.store.getDocument({ orgId: this.#orgId, type: 'webhook', id: this.#id });
    if (webhook?.revision !== this.#webhook?.revision) this.#replace(webhook);
    if (webhook) await this.#pending.read((one) => this.#schedule.add(one, this.#options.clock.now()));
  }

  #replace(webhook: Document<'webhook'> | undefined): void {
    const before = this.#webhook?.record;
    this.#webhook = webhook;
    if (!webhook) return;
    const { record, enabledAt, replayed } = webhook.record;
    this.#reader.setFilter(filterOf(webhook.record));
    this.#schedule.setOrder(record.order);
    if (before?.enabledAt !== enabledAt || before.record.url !== record.url) this.#health.stopSparing();
    if (before?.enabledAt !== enabledAt)
      this.#health.failingSince = record.failingSince === undefined ? undefined : Date.parse(record.failingSince);
    if (before?.replayed !== replayed) this.#pending.expectMore();
  }

  /** Enqueues the next page of events. Reports whether there may be more. */
  async #readOn(): Promise<boolean> {
    if (await this.#withWebhook((held) => saveFailingSince(this.#options, held, this.#health.failingSince)))
      await this.#load();
    if (this.#schedule.size > maxPending - pageSize) return false;
    const isReplaying = await this.#replay();
    const { hasMore, isMoved } = await this.#reader.read(this.#enqueuePage());
    // There may be deliveries that this node does not know.
    if (isMoved) {
      this.#isChanged = true;
      this.#pending.expectMore();
    }
    return hasMore || isReplaying;
  }

  /**
   * An event must be handled by the webhook as it was when the event was committed. So the webhook is loaded again once the
   * page is read. If it has changed since the page was requested, the page is read again.
   */
  #enqueuePage(): HandlePage {
    const before = this.#webhook?.revision;
    return async (events, moved) => {
      await this.#load();
      if (this.#webhook?.revision !== before) return 'overtaken';
      if (events.length === 0) return 'passed';
      const page = { orgId: this.#orgId, webhookId: this.#id, events };
      const enqueued = await enqueueDeliveries(this.#options, page, moved);
      for (const { delivery, event } of enqueued ?? []) {
        this.#schedule.add(delivery, this.#options.clock.now());
        if (this.#fresh.size < limits.webhookConcurrency) this.#fresh.set(delivery.id, event);
      }
      return enqueued ? 'saved' : 'overtaken';
    };
  }

  /** Makes one page of the deliveries of a replay. Reports whether there is a replay. */
  async #replay(): Promise<boolean> {
    const made = await this.#withWebhook((held) => replayNextPage(this.#options, held, pageSize));
    if (!made) return false;
    await this.#load();
    for (const delivery of made) this.#schedule.add(delivery, this.#options.clock.now());
    this.#pump();
    return true;
  }

  async #withWebhook<T>(work: (held: { orgId: string; webhook: Document<'webhook'> }) => Promise<T>) {
    return this.#webhook && work({ orgId: this.#orgId, webhook: this.#webhook });
  }

  /** Begins as many attempts as may run at a time, and sets a timer for the next. */
  #pump(): void {
    clearTimeout(this.#timer);
    if (!this.#webhook || !this.#isEnabled()) return;
    const { record: stored } = this.#webhook;
    const { concurrency } = stored.record;
    const now = this.#options.clock.now();
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
    // No longer, in case the clock jumps.
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
      const message = await messageOf(store, { orgId: this.#orgId, webhook, delivery, event });
      if (this.#isStopped) return;
      if (!message) return this.#settled(giveUp(delivery, 'The format of the webhook has no such event.', clock.now()));
      const attempted = await sender.send(webhook, message, this.#abort.signal);
      // It may or may not have arrived, so it stays pending.
      if (this.#abort.signal.aborted) return;
      const now = clock.now();
      const settling = { now, random: random(), enabledAt: webhook.enabledAt, ...defined({ policy }) };
      this.#settled(settle(delivery, attempted, settling));
      await this.#try(() => this.#noteAttempt(attempted, now));
    } catch (error) {
      // The store is unavailable. The endpoint did not fail, so this was no attempt.
      this.#options.onError(error);
      this.#schedule.retry(delivery, clock.now() + longestSleepMs, clock.now());
    }
  }

  #settled(delivery: Delivery): void {
    this.#pending.save(delivery);
    const now = this.#options.clock.now();
    if (delivery.nextAttemptAt !== undefined) this.#schedule.retry(delivery, Date.parse(delivery.nextAttemptAt), now);
    else this.#schedule.settled(delivery.id);
    if (this.#schedule.size === maxPending - pageSize) this.#runner.trigger();
  }

  /** If another call has changed the webhook, the next failed attempt tries to disable it again. */
  async #noteAttempt(attempt: Attempt, now: number): Promise<void> {
    this.#health.noteAttempt(attempt, now);
    if (!this.#isEnabled()) return;
    const { failingSince } = this.#health;
    if (await this.#withWebhook((held) => disableIfFailing(this.#options, held, { attempt, failingSince })))
      await this.#load();
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => this.#options.onError(error));
  }
}

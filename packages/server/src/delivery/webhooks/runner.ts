/** One webhook in the hands of this node: takes in what it wants from the log, and sends until each delivery is settled. */
import { type Attempt, type Delivery, type LogEvent, limits } from '@holdpoint/protocol';
import { timestamp } from '../../domain/state.ts';
import { disable, notice, noticesThreadId } from '../../domain/webhooks/disable.ts';
import { failingSince, isFailingForLong } from '../../domain/webhooks/failing.ts';
import { replayPage } from '../../domain/webhooks/replay-page.ts';
import type { RetryPolicy } from '../../domain/webhooks/retry.ts';
import { giveUp, isGone, isTaken, settle } from '../../domain/webhooks/settle.ts';
import type { StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Clock } from '../../operations/context.ts';
import type { Change, Document, EventHead, Store } from '../../stores/store.ts';
import type { Duty } from '../duties.ts';
import { composeMessage } from './compose-message.ts';
import { Intake, pageSize } from './intake.ts';
import { filterOf } from './message.ts';
import { Nudge } from './nudge.ts';
import { Outcomes } from './outcomes.ts';
import { Schedule } from './schedule.ts';
import type { Sender } from './sender.ts';

/** What is beyond stays in the log until there is room. */
const maxPending = 10_000;
/** A failure that is over sooner is nobody's news. */
const showFailingMs = 60_000;
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
  readonly orgId: string;
  readonly #id: string;
  readonly #options: RunnerOptions;
  readonly #intake: Intake;
  readonly #schedule = new Schedule('none');
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
  /** There may be pending deliveries that are not in the schedule. */
  #isScheduleStale = true;
  #isStopped = false;
  #failingSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Settled while pending ones are being loaded: what was read of them is old. */
  #settledMeanwhile: Set<string> | undefined;

  constructor(claim: { orgId: string; id: string }, options: RunnerOptions) {
    this.orgId = claim.orgId;
    this.#id = claim.id;
    this.#options = options;
    this.#intake = new Intake(claim, options);
    this.#outcomes = new Outcomes({ store: options.store, orgId: claim.orgId, onError: options.onError });
    this.#running = this.#run();
  }

  /** Events of its org were committed. */
  hear(heads: readonly EventHead[]): void {
    if (this.#intake.hears(heads)) this.#nudge.give();
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
    await this.#try(() => this.#intake.stop());
    await this.#options.sender.close();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      let hasMore = false;
      try {
        if (this.#isChanged) await this.#load();
        if (this.#isEnabled()) hasMore = await this.#takeIn();
        this.#pump();
      } catch (error) {
        // Whether the last commit was done is not known.
        this.#options.onError(error);
        this.#isChanged = true;
        this.#isScheduleStale = true;
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
    const { orgId } = this;
    const webhook = await this.#options.store.getDocument({ orgId, type: 'webhook', id: this.#id });
    if (webhook?.revision !== this.#known?.revision) this.#know(webhook);
    if (this.#known && this.#isScheduleStale) await this.#loadPending();
  }

  #know(webhook: Document<'webhook'> | undefined): void {
    const before = this.#known?.stored;
    this.#known = webhook && { revision: webhook.revision, stored: webhook.record };
    if (!webhook) return;
    const { record, replayed } = webhook.record;
    this.#intake.setFilter(filterOf(webhook.record));
    this.#schedule.setOrder(record.order);
    if (!before && record.failingSince !== undefined) this.#failingSince = Date.parse(record.failingSince);
    if (before?.replayed !== replayed) this.#isScheduleStale = true;
  }

  async #loadPending(): Promise<void> {
    const settled = new Set(this.#outcomes.ids());
    this.#settledMeanwhile = settled;
    const by = { orgId: this.orgId, webhookId: this.#id, status: 'pending', order: 'oldest', limit: pageSize } as const;
    let cursor: string | undefined;
    try {
      do {
        const page = await this.#options.store.listDeliveries({ ...by, ...(cursor === undefined ? {} : { cursor }) });
        for (const delivery of page.items) if (!settled.has(delivery.id)) this.#schedule.add(delivery);
        cursor = page.next;
      } while (cursor !== undefined && !this.#isStopped);
      this.#isScheduleStale = false;
    } finally {
      this.#settledMeanwhile = undefined;
    }
  }

  /** Whether there may be more to take in at once. */
  async #takeIn(): Promise<boolean> {
    await this.#showFailing();
    if (this.#schedule.size > maxPending - pageSize) return false;
    const isReplaying = await this.#replay();
    const { fresh, hasMore, isMoved } = await this.#intake.take();
    if (isMoved) {
      this.#isChanged = true;
      this.#isScheduleStale = true;
    }
    for (const { delivery, event } of fresh) {
      this.#schedule.add(delivery);
      if (this.#fresh.size < limits.webhookConcurrency) this.#fresh.set(delivery.id, event);
    }
    return hasMore || isReplaying;
  }

  /** One page of what is to be sent again. */
  async #replay(): Promise<boolean> {
    const { store, clock, newId } = this.#options;
    const known = this.#known;
    if (!known?.stored.replay) return false;
    const { stored } = known;
    const { after, includesDelivered } = known.stored.replay;
    const { items, next } = await store.listDeliveries({
      orgId: this.orgId,
      webhookId: this.#id,
      order: 'oldest',
      cursor: after,
      limit: pageSize,
      ...(includesDelivered ? {} : { status: 'dead' }),
    });
    const replayed = replayPage(stored, { items, hasMore: next !== undefined, now: clock.now(), newId });
    const { newDeliveries, changedDeliveries } = replayed;
    const isSaved = await this.#change(known, replayed.stored, { newDeliveries, changedDeliveries });
    if (isSaved) for (const delivery of newDeliveries) this.#schedule.add(delivery);
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
    while (!this.#isStopped && this.#attempts.size < concurrency) {
      const delivery = this.#schedule.take(clock.now());
      if (!delivery) break;
      const attempt = this.#attempt(stored, delivery).finally(() => {
        this.#attempts.delete(attempt);
        this.#pump();
      });
      this.#attempts.add(attempt);
    }
    const nextDueAt = this.#schedule.nextDueAt();
    if (this.#isStopped || nextDueAt === undefined || this.#attempts.size >= concurrency) return;
    // Not for longer, in case the clock jumps.
    const sleepMs = Math.min(Math.max(nextDueAt - clock.now(), 1), longestSleepMs);
    this.#timer = setTimeout(() => this.#pump(), sleepMs);
  }

  async #attempt(webhook: StoredWebhook, delivery: Delivery): Promise<void> {
    const { store, clock, random, sender, policy } = this.#options;
    try {
      const { orgId } = this;
      const event = this.#fresh.get(delivery.id);
      this.#fresh.delete(delivery.id);
      const message = await composeMessage(store, { orgId, webhook, delivery, event });
      if (this.#isStopped) return this.#schedule.retry(delivery);
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
      this.#schedule.retry({ ...delivery, nextAttemptAt: timestamp(clock.now() + longestSleepMs) });
    }
  }

  #settle(delivery: Delivery): void {
    this.#outcomes.add(delivery);
    if (delivery.status === 'pending') this.#schedule.retry(delivery);
    else this.#schedule.settled(delivery.id);
    this.#settledMeanwhile?.add(delivery.id);
    if (this.#schedule.size === maxPending - pageSize) this.#nudge.give();
  }

  async #judge(attempt: Attempt, now: number): Promise<void> {
    this.#failingSince = failingSince(this.#failingSince, { isTaken: isTaken(attempt), at: now });
    if (isGone(attempt)) await this.#disable('gone');
    else if (isFailingForLong(this.#failingSince, now)) await this.#disable('failing');
  }

  /** Whoever is overtaken tries again with the next attempt that fails. */
  async #disable(reason: 'gone' | 'failing'): Promise<void> {
    const { store, clock } = this.#options;
    const known = this.#known;
    if (!known || !this.#isEnabled()) return;
    const { stored, event } = disable(known.stored, { reason, now: clock.now() });
    const hasThread = (await store.getThread({ orgId: this.orgId, id: noticesThreadId })) !== undefined;
    const timers = [{ kind: 'webhook', id: this.#id, dueAt: null } as const];
    await this.#change(known, stored, { timers, ...notice(event, hasThread) });
  }

  /** Failing for more than a moment is shown, and forgotten with the first success. */
  async #showFailing(): Promise<void> {
    const known = this.#known;
    if (!known) return;
    const { stored } = known;
    const since = this.#failingSince;
    const isShown = since !== undefined && this.#options.clock.now() - since >= showFailingMs;
    if (isShown === (stored.record.failingSince !== undefined)) return;
    const { failingSince: _, ...record } = stored.record;
    await this.#change(known, { ...stored, record: isShown ? { ...record, failingSince: timestamp(since) } : record });
  }

  /** Saves the webhook, if nobody else has changed it; either way it is looked at anew. */
  async #change(
    { revision: expected }: Known,
    stored: StoredWebhook,
    more: Omit<Change, 'orgId'> = {},
  ): Promise<boolean> {
    const documents = [{ type: 'webhook', id: this.#id, record: stored, expected } as const];
    const { ok } = await this.#options.store.commit({ orgId: this.orgId, documents, ...more });
    await this.#load();
    return ok;
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => this.#options.onError(error));
  }
}

/**
 * Changes that arrive while a batch is being written are the next batch, all over one connection: few large batches cost
 * less than many small ones, also where these are written at the same time.
 */
import type { EncodedChange } from '../sql/encode-change.ts';
import { storageError } from '../storage-error.ts';
import { Connection } from './connection.ts';
import { away, isRefusal } from './database-error.ts';
import { lockNames } from './lock-names.ts';
import { hasNul } from './select.ts';
import { type Written, writeBatch } from './write-batch.ts';

/** Bounds how many locks a batch holds, because the database has some thousands for all, and how many deliveries. */
const maxWeight = 256;

const takesWrites = { name: 'check', text: `SELECT current_setting('transaction_read_only') = 'off' AS takes_writes` };

interface Waiting {
  change: EncodedChange;
  resolve(written: Written): void;
  reject(error: unknown): void;
}

export class GroupCommit {
  readonly #connection: Connection;
  readonly #base: bigint;
  readonly #onWritten: () => void;
  #gathering: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor({ url, base, onWritten }: { url: string; base: bigint; onWritten(): void }) {
    this.#connection = new Connection({ url });
    this.#base = base;
    this.#onWritten = onWritten;
  }

  write(change: EncodedChange): Promise<Written> {
    if (this.#isClosed) return Promise.reject(storageError('the store is closed'));
    if (change.log && hasNul(change.log.threadId)) return Promise.resolve({ ok: false, reason: 'no-thread' });
    return new Promise((resolve, reject) => {
      this.#gathering.push({ change, resolve, reject });
      this.#writing ??= nextTurn().then(() => this.#writeAll());
    });
  }

  /** Rejects where nothing can be written. */
  async check(): Promise<void> {
    const [row] = await this.#connection.query(takesWrites).catch((error) => {
      throw away(error);
    });
    if (row?.takes_writes) return;
    this.#connection.renew();
    throw storageError('the database takes no writes at present');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#connection.close();
  }

  async #writeAll(): Promise<void> {
    while (this.#gathering.length > 0) await this.#write(this.#takeBatch());
    this.#writing = undefined;
  }

  /** As many as go together: of those that could be in each other's way only the first. */
  #takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const left: Waiting[] = [];
    const claimed = new Set<string>();
    let weight = 0;
    for (const waiting of this.#gathering) {
      const claims = claimsOf(waiting.change);
      if (weight < maxWeight && !claims.some((claim) => claimed.has(claim))) {
        batch.push(waiting);
        weight += weightOf(waiting.change);
        for (const claim of claims) claimed.add(claim);
      } else left.push(waiting);
    }
    this.#gathering = left;
    return batch;
  }

  async #write(batch: Waiting[], isRetry = false): Promise<void> {
    try {
      const changes = batch.map(({ change }) => change);
      const written = await writeBatch(this.#connection, changes, this.#base);
      for (const [index, { resolve }] of batch.entries()) resolve(written[index] as Written);
      this.#onWritten();
    } catch (error) {
      this.#connection.mayBeStale(error);
      if (!isRefusal(error) || !mayBeOneChange(error.code)) for (const { reject } of batch) reject(refused(error));
      else if (batch.length > 1) {
        // One change that cannot be written must not fail its neighbours. Halving finds it in a few transactions.
        const half = Math.ceil(batch.length / 2);
        await this.#write(batch.slice(0, half));
        await this.#write(batch.slice(half));
      } else if (!isRetry) await this.#write(batch, true);
      else batch[0]?.reject(refused(error));
    }
  }
}

/** A double key, a value too large, locks that ran out or that waited in a ring: others may be written, or a repeat may. */
const mayBeOneChange = (code = ''): boolean => /^(22|23|40|54|53200)/.test(code);

const refused = (error: unknown) => (isRefusal(error) ? away(error) : error);

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What a change may be alone in its batch in touching. */
function claimsOf(change: EncodedChange): string[] {
  const { orgId, interaction, idempotency, newThread, newOrg, newApiKey, closedGrant, takenSecrets } = change;
  const { changedThread, changedMessage, changedApiKey, run, documents = [], timers = [] } = change;
  const { newDeliveries = [], changedDeliveries = [] } = change;
  const claims: string[] = [];
  if (interaction) claims.push(`interaction ${orgId} ${interaction.id}`);
  // One of a thread is open, so two of a thread could be in each other's way.
  if (run) claims.push(`run ${orgId} ${run.threadId}`);
  if (idempotency) claims.push(`stamp ${orgId} ${idempotency.key}`);
  const thread = newThread ?? changedThread;
  if (thread) claims.push(`thread ${orgId} ${thread.id}`);
  if (changedMessage) claims.push(`message ${orgId} ${changedMessage.id}`);
  if (newOrg) claims.push(`org ${newOrg.id}`);
  const apiKey = newApiKey ?? changedApiKey;
  if (apiKey) claims.push(`key ${apiKey.hash}`);
  if (closedGrant) claims.push(`grant ${orgId} ${closedGrant.id}`);
  if (takenSecrets) claims.push(`secrets ${orgId} ${takenSecrets.interactionId}`);
  for (const { type, id, alias } of documents) {
    claims.push(`document ${orgId} ${type} ${id}`);
    if (alias !== null) claims.push(`alias ${orgId} ${type} ${alias}`);
  }
  for (const { kind, id } of timers) claims.push(`timer ${orgId} ${kind} ${id}`);
  for (const { webhookId, id } of [...newDeliveries, ...changedDeliveries])
    claims.push(`delivery ${orgId} ${webhookId} ${id}`);
  return claims;
}

const weightOf = (change: EncodedChange): number =>
  lockNames(change).length +
  (change.newEntries?.length ?? 0) +
  (change.newDeliveries?.length ?? 0) +
  (change.changedDeliveries?.length ?? 0);

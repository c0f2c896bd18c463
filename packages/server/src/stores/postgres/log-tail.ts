/** Follows the log as far as it is settled, and tells every new event's head to the listeners, once each and in order. */
import type { EventHead } from '../store.ts';
import type { Connection } from './connection.ts';
import { fromCursor, toCursor } from './cursor.ts';
import { findHorizon, type Horizon } from './log-order.ts';
import { Pacer } from './pacer.ts';

const lookEveryMs = 5;
const pageSize = 1_000;

const headsAfter = {
  name: 'heads',
  text: `SELECT position, org_id, thread_id, seq, type, interaction_id FROM events
    WHERE position + 0 > $1 AND position + 0 < $2 ORDER BY position + 0 LIMIT ${pageSize}`,
};

export class LogTail {
  readonly #connection: Connection;
  readonly #base: bigint;
  readonly #listeners = new Set<(heads: readonly EventHead[]) => void>();
  readonly #pacer = new Pacer(lookEveryMs, () => this.#look());
  #position: bigint;
  #waiting: Waiting[] = [];

  constructor(connection: Connection, base: bigint, head: string) {
    this.#connection = connection;
    this.#base = base;
    this.#position = fromCursor(head);
  }

  listen(listener: (heads: readonly EventHead[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something may have been committed. */
  look(): void {
    this.#pacer.ask();
  }

  /** Calls back once everything that is committed by now has been told to the listeners, in the order of the calls. */
  afterwards(then: () => void): void {
    this.#waiting.push({ then });
    this.look();
  }

  async close(): Promise<void> {
    await this.#pacer.finish();
  }

  async #look(): Promise<void> {
    const early = this.#waiting.length;
    const read = await this.#read();
    if (!read) return;
    const { heads, horizon, hasMore } = read;
    const last = heads.at(-1);
    if (last) {
      this.#position = fromCursor(last.cursor);
      for (const listener of this.#listeners) listener(heads);
    }
    for (const waiting of this.#waiting.slice(0, early)) waiting.end ??= horizon.end;
    if (heads.length < pageSize) this.#letGo(horizon.position);
    if (hasMore || this.#waiting.length > 0) this.look();
  }

  #letGo(told: bigint): void {
    const isTold = ({ end }: Waiting) => end !== undefined && end <= told;
    const kept = this.#waiting.findIndex((waiting) => !isTold(waiting));
    for (const { then } of this.#waiting.splice(0, kept < 0 ? this.#waiting.length : kept)) then();
  }

  async #read(): Promise<{ heads: EventHead[]; horizon: Horizon; hasMore: boolean } | undefined> {
    try {
      const horizon = await findHorizon(this.#connection, this.#base);
      const values = [this.#position.toString(), horizon.position.toString()];
      const rows = await this.#connection.query({ ...headsAfter, values });
      return { heads: rows.map(toHead), horizon, hasMore: horizon.isWriting || rows.length === pageSize };
    } catch {
      // The database is away; the next look begins at the same place.
      return undefined;
    }
  }
}

interface Waiting {
  /** All that was committed lies before it; not known before a look that began later. */
  end?: bigint;
  then(): void;
}

function toHead(row: Record<string, unknown>): EventHead {
  return {
    cursor: toCursor(BigInt(String(row.position))),
    orgId: String(row.org_id),
    threadId: String(row.thread_id),
    seq: Number(row.seq),
    type: row.type as EventHead['type'],
    ...(row.interaction_id === null ? {} : { interactionId: String(row.interaction_id) }),
  };
}

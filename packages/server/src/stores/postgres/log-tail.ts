/** Follows the settled part of the log. Calls the listeners with the head of every new event, once each and in order. */
import { Listeners } from '../listeners.ts';
import type { EventHead } from '../store.ts';
import type { Connection } from './connection.ts';
import { findHorizon, fromCursor, type Horizon, toCursor } from './log-order.ts';
import { Throttle } from './throttle.ts';

const lookEveryMs = 5;
const pageSize = 1_000;

const headsAfter = {
  name: 'heads',
  text: `SELECT position, org_id, thread_id, seq, type, interaction_id FROM events
    WHERE position + 0 > $1 AND position + 0 < $2 ORDER BY position + 0 LIMIT ${pageSize}`,
};

export class LogTail {
  readonly listeners = new Listeners<readonly EventHead[]>();
  readonly #connection: Connection;
  readonly #base: bigint;
  readonly #throttle = new Throttle(lookEveryMs, () => this.#look());
  #position: bigint;
  #waiting: Waiting[] = [];

  constructor(connection: Connection, base: bigint, head: string) {
    this.#connection = connection;
    this.#base = base;
    this.#position = fromCursor(head);
  }

  /** Reads the log soon, because something may have been committed. */
  look(): void {
    this.#throttle.ask();
  }

  /** Calls back when the listeners have every event that is committed now. Keeps the order of the calls. */
  afterwards(then: () => void): void {
    this.#waiting.push({ then });
    this.look();
  }

  async close(): Promise<void> {
    await this.#throttle.finish();
  }

  async #look(): Promise<void> {
    const early = this.#waiting.length;
    const read = await this.#read();
    if (!read) return;
    const { heads, horizon, hasMore } = read;
    const last = heads.at(-1);
    if (last) {
      this.#position = fromCursor(last.cursor);
      this.listeners.publish(heads);
    }
    for (const waiting of this.#waiting.slice(0, early)) waiting.end ??= horizon.end;
    if (heads.length < pageSize) this.#release(horizon.position);
    if (hasMore || this.#waiting.length > 0) this.look();
  }

  #release(published: bigint): void {
    const isReady = ({ end }: Waiting) => end !== undefined && end <= published;
    const kept = this.#waiting.findIndex((waiting) => !isReady(waiting));
    for (const { then } of this.#waiting.splice(0, kept < 0 ? this.#waiting.length : kept)) then();
  }

  async #read(): Promise<{ heads: EventHead[]; horizon: Horizon; hasMore: boolean } | undefined> {
    try {
      const horizon = await findHorizon(this.#connection, this.#base);
      const values = [this.#position.toString(), horizon.position.toString()];
      const rows = await this.#connection.query({ ...headsAfter, values });
      return { heads: rows.map(toHead), horizon, hasMore: horizon.isWriting || rows.length === pageSize };
    } catch {
      // The database is unavailable. The next read begins at the same position.
      return undefined;
    }
  }
}

interface Waiting {
  /** All events that were committed are before this position. Unknown until a later read. */
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

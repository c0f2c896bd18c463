/** Reads the log: by thread and sequence, or across an org from a cursor up to the point where the log is settled. */
import type { LogEvent } from '@holdpoint/protocol';
import type { Listing, Store } from '../store.ts';
import { currentEvent } from './current-form.ts';
import { refuseCursor } from './cursor.ts';
import { defaultStepRows } from './list-records.ts';
import { readFitting } from './page-bytes.ts';
import type { ReadsOf, Row, SqlValue } from './select.ts';

export interface LogOptions {
  readsOf: ReadsOf;
  stepRows?: number | undefined;
  cursors: { from(cursor: string): bigint; to(position: bigint): string };
  /** The table expressions for the log of an org and for the log of a thread. */
  tables?: { ofOrg: string; ofThread: string };
  /**
   * Returns the first position at which events may still be inserted. Without this function there is no such position.
   */
  findHorizon?(): Promise<bigint>;
  /** Returns the position of the newest event before the horizon; 0 if there is none. */
  findHead(horizon: bigint | undefined): Promise<bigint>;
}

/**
 * Finds the place of a cursor in a thread. Positions rise with the sequence, so a binary search needs some twenty
 * steps. An index of positions by thread would save them, but cost every commit a page.
 */
const lastSeqUpTo = `
  WITH RECURSIVE search (low, high) AS (
    SELECT 0, coalesce(max(seq), 0) FROM events WHERE org_id = ? AND thread_id = ?
    UNION ALL
    SELECT CASE WHEN position <= ? THEN seq ELSE low END, CASE WHEN position <= ? THEN high ELSE seq - 1 END
    FROM search CROSS JOIN events
    WHERE low < high AND org_id = ? AND thread_id = ? AND seq = (low + high + 1) / 2
  ) SELECT max(low) AS seq FROM search`;

export function eventReads(options: LogOptions): Pick<Store, 'readLog' | 'readEvents' | 'headCursor'> {
  const { readsOf, stepRows = defaultStepRows, cursors, findHorizon, findHead } = options;
  const { ofOrg = 'events', ofThread = 'events' } = options.tables ?? {};
  const cursorOf = (row: Row): string => cursors.to(BigInt(String(row.position)));
  const eventOf = (row: Row): LogEvent => toEvent(row, cursorOf(row));

  return {
    readLog: async ({ orgId, threadId, after, limit }) => {
      const { rows, isFull } = await readFitting({
        ...eventColumns,
        ...{ select: readsOf(orgId).one, limit },
        from: `FROM ${ofThread} WHERE org_id = ? AND thread_id = ? AND seq > ${bigint} ORDER BY seq`,
        values: [orgId, threadId, String(after)],
      });
      return { items: rows.map(eventOf), ...(isFull ? { next: String(rows.at(-1)?.seq) } : {}) };
    },
    headCursor: async () => cursors.to(await findHead(await findHorizon?.())),
    readEvents: async ({ after, ...by }) => {
      const position = cursors.from(after);
      const horizon = await findHorizon?.();
      const page = await readPage({ ...by, position, horizon });
      // No event follows a cursor beyond the end, so only an empty page needs this check.
      const isEmpty = page.items.length === 0 && page.next === undefined;
      if (isEmpty && position > (await findHead(horizon))) refuseCursor(after);
      return page;
    },
  };

  async function readPage(by: PageOf): Promise<Listing<LogEvent>> {
    const { orgId, position, horizon, limit, threadId, interactionId, types } = by;
    const select = readsOf(orgId).one;
    const [key, table] = threadId === undefined ? ['position', ofOrg] : ['seq', ofThread];
    const conditions = ['org_id = ?'];
    const values: SqlValue[] = [orgId];
    const add = (condition: string, ...more: SqlValue[]) => {
      conditions.push(condition);
      values.push(...more);
    };
    const from = () => `FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${key}`;
    if (horizon !== undefined) add('position < ?', String(horizon));
    if (threadId === undefined) add('position > ?', String(position));
    else add('thread_id = ? AND seq > ?', threadId, await seqUpTo(orgId, threadId, position));
    const isFiltered = interactionId !== undefined || types !== undefined;
    const [bound] = isFiltered
      ? await select(`SELECT ${key} AS key, position ${from()} LIMIT 1 OFFSET ?`, ...values, stepRows - 1)
      : [];
    if (bound) add(`${key} <= ?`, String(bound.key));
    if (interactionId !== undefined) add('interaction_id = ?', interactionId);
    if (types) add(`type IN (${types.map(() => '?').join(', ')})`, ...types);
    const { rows, isFull } = await readFitting({ ...eventColumns, select, limit, from: from(), values });
    const last = isFull ? rows.at(-1) : bound;
    return { items: rows.map(eventOf), ...(last && { next: cursorOf(last) }) };
  }

  async function seqUpTo(orgId: string, threadId: string, position: bigint): Promise<number> {
    const [at, of] = [String(position), [orgId, threadId]];
    const [row] = await readsOf(orgId).one(lastSeqUpTo, ...of, at, at, ...of);
    return Number(row?.seq);
  }
}

const eventColumns = { columns: 'position, thread_id, seq, type, at, actor, interaction_id', text: 'data' } as const;

/** Casts a number that may be too large for an integer, the type that PostgreSQL would assume. */
const bigint = 'CAST(? AS bigint)';

type PageOf = Omit<Parameters<Store['readEvents']>[0], 'after'> & { position: bigint; horizon: bigint | undefined };

function toEvent(row: Record<string, unknown>, cursor: string): LogEvent {
  return currentEvent({
    cursor,
    threadId: String(row.thread_id),
    seq: Number(row.seq),
    type: row.type as LogEvent['type'],
    at: String(row.at),
    actor: JSON.parse(String(row.actor)) as LogEvent['actor'],
    ...(row.interaction_id === null ? {} : { interactionId: String(row.interaction_id) }),
    data: JSON.parse(String(row.data)) as LogEvent['data'],
  } as LogEvent);
}

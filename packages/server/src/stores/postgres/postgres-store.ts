/** The store for many nodes, which share one PostgreSQL and nothing else. */
import { Listeners, WriteListeners } from '../listeners.ts';
import { encodeChange, toCommitted } from '../sql/encode-change.ts';
import { fairReads } from '../sql/fair-reads.ts';
import { gatheredReads } from '../sql/gather-reads.ts';
import { recordReads } from '../sql/read-records.ts';
import { readerOf } from '../sql/select.ts';
import type { PublishedEvent, Store } from '../store.ts';
import { timerClaims } from './claim-timers.ts';
import { Connection } from './connection.ts';
import { away } from './database-error.ts';
import { GroupCommit, type LockWaits } from './group-commit.ts';
import { findHorizon, settleBase, toCursor } from './log-order.ts';
import { LogTail } from './log-tail.ts';
import { migrate, startLock } from './migrate.ts';
import { Notifications } from './notifications.ts';
import { logReads, property, readTogether, selectOver } from './reads.ts';

/** Polling finds commits whose notification was lost. */
const pollMs = 250;
const writtenMs = 1_000;

export interface PostgresOptions extends LockWaits {
  url: string;
  /** Connections that read; each carries many queries at once. */
  readers?: number;
  /** Rows that one step of a list examines. */
  stepRows?: number;
  /** Longest time of one step. Most take milliseconds; a step that takes seconds delays the lists of all orgs. */
  stepMs?: number;
}

/**
 * Connections for lists, counts and pages of the log. Each runs one query at a time, so that none waits behind a longer
 * one.
 */
const listReaders = 2;

export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, readers = 2, stepRows, stepMs = 5_000, ...waits } = options;
  const base = await prepareDatabase(url);
  const connections = Array.from({ length: readers }, () => new Connection({ url }));
  const select = selectOver(connections);
  const listing = Array.from({ length: listReaders }, () => new Connection({ url, statementMs: stepMs }));
  const readsOf = fairReads(listing.map((connection) => readerOf(selectOver([connection]))));
  const tailing = new Connection({ url });
  // A timer whose claim is lost in a crash of the database is due again, so claims need not wait for the disk.
  const claiming = new Connection({ url, mayLose: true });
  const disconnect = () => Promise.all([tailing, claiming, ...listing, ...connections].map((each) => each.close()));
  const settledUpTo = async () => {
    const { position } = await findHorizon(tailing, base).catch((error) => {
      throw away(error);
    });
    return position;
  };
  const events = logReads({ select, readsOf, stepRows, findHorizon: settledUpTo });
  const head = await events.headCursor().catch(async (error: unknown) => {
    await disconnect();
    throw error;
  });
  const tail = new LogTail(tailing, base, head);
  const written = new WriteListeners();
  const look = () => {
    tail.look();
    written.publish();
  };
  const ephemeral = new Listeners<PublishedEvent>();
  const notifications = new Notifications({
    ...{ url, onWakeUp: look },
    onPublished: (event) => tail.afterwards(() => ephemeral.publish(event)),
  });
  const polls = [setInterval(() => tail.look(), pollMs), setInterval(() => written.publish(), writtenMs)];
  const onWritten = () => {
    look();
    notifications.notify();
  };
  const writer = new GroupCommit({ url, base, onWritten, ...waits });
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await writer.close();
    for (const poll of polls) clearInterval(poll);
    await notifications.close();
    await tail.close();
    await disconnect();
  }

  return {
    ...recordReads(select, { readsOf, stepRows, property }),
    ...gatheredReads(readTogether(connections)),
    ...events,
    ...timerClaims(selectOver([claiming])),

    async commit(change) {
      const result = await writer.write(encodeChange(change));
      if (!result.ok) return result;
      return toCommitted(change, (index) => {
        const { seq = 0, position = 0n } = result.places[index] ?? {};
        return { cursor: toCursor(position), seq };
      });
    },

    onCommitted: (listener) => tail.listeners.listen(listener),
    onWritten: (listener) => written.listen(listener),
    publish: (event) => notifications.publish(event),
    onPublished: (listener) => ephemeral.listen(listener),

    async getOrCreateMeta({ key, value }) {
      await select('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING', key, value);
      const [row] = await select('SELECT value FROM meta WHERE key = ?', key);
      return String(row?.value);
    },

    async checkReady() {
      await Promise.all([writer.check(), select('SELECT true')]);
    },

    blockedWrites: () => writer.blockedCount,

    close: () => (closing ??= closeAll()),
  };
}

/** Nodes that start at once do this one after the other. */
async function prepareDatabase(url: string): Promise<bigint> {
  const connection = new Connection({ url, isPatient: true });
  try {
    const client = await connection.open();
    await client.query(`SELECT pg_advisory_lock(${startLock})`);
    await migrate(client);
    return await settleBase(connection);
  } finally {
    // The lock goes with the connection.
    await connection.close();
  }
}

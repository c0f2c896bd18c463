/** The store for many nodes: they share one PostgreSQL and nothing else. */
import { encodeChange } from '../sql/encode-change.ts';
import { recordReads } from '../sql/read-records.ts';
import { toCommitted } from '../sql/to-committed.ts';
import type { Store } from '../store.ts';
import { deadlineClaims } from './claim-deadlines.ts';
import { Connection } from './connection.ts';
import { toCursor } from './cursor.ts';
import { away } from './database-error.ts';
import { gatheredReads } from './gather-reads.ts';
import { GroupCommit } from './group-commit.ts';
import { findHorizon, settleBase } from './log-order.ts';
import { LogTail } from './log-tail.ts';
import { migrate, startLock } from './migrate.ts';
import { eventReads } from './read-events.ts';
import { selectOver } from './select.ts';
import { WakeUps } from './wake-ups.ts';

export interface PostgresOptions {
  url: string;
  /** Connections that write; each writes one batch at a time. */
  writers?: number;
  /** Connections that read; each carries many queries at once. */
  readers?: number;
}

export async function openPostgresStore({ url, writers = 2, readers = 2 }: PostgresOptions): Promise<Store> {
  const base = await prepareDatabase(url);
  const connections = Array.from({ length: readers }, () => new Connection({ url }));
  const select = selectOver(connections);
  const tailing = new Connection({ url });
  const events = eventReads(select, async () => {
    try {
      return (await findHorizon(tailing, base)).position;
    } catch (error) {
      throw away(error);
    }
  });
  const head = await events.headCursor().catch(async (error: unknown) => {
    await Promise.all([tailing, ...connections].map((connection) => connection.close()));
    throw error;
  });
  const tail = new LogTail(tailing, base, head);
  const wakeUps = new WakeUps(url, () => tail.look());
  const onWritten = () => {
    tail.look();
    wakeUps.tell();
  };
  const writer = new GroupCommit({ url, writers, base, onWritten });
  let closing: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    await writer.close();
    await tail.close();
    await Promise.all([wakeUps, tailing, ...connections].map((part) => part.close()));
  }

  return {
    ...recordReads(select),
    ...gatheredReads(select),
    ...events,
    ...deadlineClaims(select),

    async commit(change) {
      const written = await writer.write(encodeChange(change));
      if (!written.ok) return written;
      return toCommitted(change, (index) => {
        const { seq = 0, position = 0n } = written.places[index] ?? {};
        return { cursor: toCursor(position), seq };
      });
    },

    onCommitted: (listener) => tail.listen(listener),

    async settleMeta({ key, value }) {
      await select('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING', key, value);
      const [row] = await select('SELECT value FROM meta WHERE key = ?', key);
      return String(row?.value);
    },

    async checkReady() {
      await Promise.all([writer.check(), select('SELECT true')]);
    },

    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

/** Of many nodes that start at once, one does this after the other. */
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

/** The embedded store: one SQLite file, a writer thread that commits in groups, and a connection for reading. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { toCursor } from '../sql/cursor.ts';
import { encodeChange } from '../sql/encode-change.ts';
import { gatheredReads } from '../sql/gather-reads.ts';
import { recordReads } from '../sql/read-records.ts';
import { toCommitted } from '../sql/to-committed.ts';
import { storageError } from '../storage-error.ts';
import type { EventHead, Store } from '../store.ts';
import { ToldListeners } from '../told-listeners.ts';
import { WrittenListeners } from '../written-listeners.ts';
import { releaseClaims, timerClaims } from './claim-timers.ts';
import { GroupCommit } from './group-commit.ts';
import { lockFolder } from './lock-folder.ts';
import { migrate } from './migrate.ts';
import { databaseFile, openDatabase } from './open-database.ts';
import { eventReads } from './read-events.ts';
import { readTogether } from './read-together.ts';
import { selectFrom } from './select.ts';
import type { WriterOptions } from './writer.ts';

export interface SqliteOptions extends Pick<WriterOptions, 'maxPages'> {
  folder: string;
  /** What an earlier version has written is about to be brought up to date. */
  onOlder?(): void;
}

export async function openSqliteStore({ folder, onOlder, ...options }: SqliteOptions): Promise<Store> {
  const unlock = lockFolder(folder);
  let db: DatabaseSync | undefined;
  try {
    const path = join(folder, databaseFile);
    db = openDatabase(path);
    migrate(db, onOlder);
    releaseClaims(db);
    const writer = new GroupCommit({ path, ...options });
    await writer.ready;
    return sqliteStore(db, writer, unlock);
  } catch (error) {
    db?.close();
    unlock();
    throw error;
  }
}

function sqliteStore(db: DatabaseSync, writer: GroupCommit, unlock: () => void): Store {
  const listeners = new Set<(heads: readonly EventHead[]) => void>();
  const addMeta = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const findMeta = db.prepare('SELECT value FROM meta WHERE key = ?');
  const written = new WrittenListeners();
  const told = new ToldListeners();
  let closing: Promise<void> | undefined;

  return {
    ...recordReads(selectFrom(db)),
    ...gatheredReads(readTogether(db)),
    ...timerClaims(db, (job) => writer.write(job).then((written) => (written.ok && written.claims) || [])),
    ...eventReads(db),

    async commit(change) {
      const result = await writer.write(encodeChange(change));
      if (!result.ok) return result;
      written.tell();
      const { position, seq } = result;
      const committed = toCommitted(change, (index) => ({ cursor: toCursor(position + index), seq: seq + index }));
      if (committed.events.length > 0) for (const listener of listeners) listener(committed.events);
      return committed;
    },

    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    onWritten: (listener) => written.listen(listener),
    tell: (event) => void setImmediate(() => closing ?? told.tell(event)),
    onTold: (listener) => told.listen(listener),

    async settleMeta({ key, value }) {
      addMeta.run(key, value);
      return String(findMeta.get(key)?.value);
    },

    async checkReady() {
      await writer.check();
      try {
        findMeta.get('ready');
      } catch (error) {
        throw storageError('the database cannot be read', error);
      }
    },

    close() {
      closing ??= writer.close().then(() => {
        db.close();
        unlock();
      });
      return closing;
    },
  };
}

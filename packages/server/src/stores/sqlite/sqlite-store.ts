/** The embedded store: one SQLite file, a writer thread that commits in groups, and a connection for reading. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { storageError } from '../storage-error.ts';
import type { Change, Committed, EventHead, Store } from '../store.ts';
import { toCursor } from './cursor.ts';
import { encodeChange, type Written } from './encode-change.ts';
import { GroupCommit } from './group-commit.ts';
import { lockFolder } from './lock-folder.ts';
import { migrate } from './migrate.ts';
import { databaseFile, openDatabase } from './open-database.ts';
import { eventReads } from './read-events.ts';
import { recordReads } from './read-records.ts';
import type { WriterOptions } from './writer.ts';

export interface SqliteOptions extends Pick<WriterOptions, 'maxPages'> {
  folder: string;
}

export async function openSqliteStore({ folder, ...options }: SqliteOptions): Promise<Store> {
  const unlock = lockFolder(folder);
  let db: DatabaseSync | undefined;
  try {
    const path = join(folder, databaseFile);
    db = openDatabase(path);
    migrate(db);
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
  let closing: Promise<void> | undefined;

  return {
    ...recordReads(db),
    ...eventReads(db),

    async commit(change) {
      const committed = toCommitted(change, await writer.write(encodeChange(change)));
      if (committed.ok && committed.events.length > 0) for (const listener of listeners) listener(committed.events);
      return committed;
    },

    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

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

function toCommitted({ orgId, log }: Change, written: Written): Committed {
  if (!written.ok) return written;
  const events = (log?.events ?? []).map(({ type, interactionId }, index) => ({
    cursor: toCursor(written.position + index),
    orgId,
    threadId: log?.threadId ?? '',
    seq: written.seq + index,
    type,
    ...(interactionId === undefined ? {} : { interactionId }),
  }));
  return { ok: true, events };
}

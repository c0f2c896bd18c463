/**
 * The embedded store: one SQLite file, a writer thread that commits in groups, a connection for look-ups, and a reader
 * thread for everything that reads more than one record.
 */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Listeners, WriteListeners } from '../listeners.ts';
import { toCursor } from '../sql/cursor.ts';
import { encodeChange, toCommitted } from '../sql/encode-change.ts';
import { fairReads } from '../sql/fair-reads.ts';
import { gatheredReads } from '../sql/gather-reads.ts';
import { recordReads } from '../sql/read-records.ts';
import { storageError } from '../storage-error.ts';
import type { EventHead, PublishedEvent, Store } from '../store.ts';
import { releaseClaims, timerClaims } from './claim-timers.ts';
import { damaged, explainDamage, noteDamage } from './damage.ts';
import { lockFolder, OpenedFile, refuseLost, writePid } from './data-folder.ts';
import { GroupCommit } from './group-commit.ts';
import { databaseFile, hasTables, migrate, openDatabase } from './open-database.ts';
import { ReaderThread } from './reader-thread.ts';
import { hint, logReads, property, readTogether } from './reads.ts';
import { selectFrom } from './select-from.ts';
import type { WriterOptions } from './writer.ts';

export interface SqliteOptions extends Pick<WriterOptions, 'maxPages'> {
  folder: string;
  /** Called before data of an earlier version is upgraded. */
  onOlder?(): void;
  /** Rows that one step of a list examines. */
  stepRows?: number;
}

/** The second step waits in the reader thread, so that it does not wait for a turn of the main thread. */
const readsAtOnce = 2;

export async function openSqliteStore({ folder, onOlder, stepRows, ...options }: SqliteOptions): Promise<Store> {
  let unlock: (() => void) | undefined;
  let file: OpenedFile | undefined;
  let db: DatabaseSync | undefined;
  const letGo = () => {
    db?.close();
    file?.close();
    unlock?.();
  };
  try {
    unlock = lockFolder(folder);
    const path = join(folder, databaseFile);
    file = new OpenedFile(path);
    db = openDatabase(path);
    if (!hasTables(db)) refuseLost(folder);
    migrate(db, onOlder);
    writePid(folder);
    releaseClaims(db);
    const writer = new GroupCommit({ path, ...options });
    await writer.ready;
    return sqliteStore({ db, path, file, writer, letGo, stepRows });
  } catch (error) {
    letGo();
    throw explainDamage(databaseFile, error);
  }
}

interface Opened {
  db: DatabaseSync;
  path: string;
  file: OpenedFile;
  writer: GroupCommit;
  letGo(): void;
  stepRows: number | undefined;
}

function sqliteStore({ db, path, file, writer, letGo, stepRows }: Opened): Store {
  let isDamaged = false;
  const onDamage = () => {
    isDamaged = true;
  };
  noteDamage(db, onDamage);
  const reader = new ReaderThread({ path, onDamage });
  const readsOf = fairReads(Array(readsAtOnce).fill(reader.read));
  const committed = new Listeners<readonly EventHead[]>();
  const addMeta = db.prepare('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const findMeta = db.prepare('SELECT value FROM meta WHERE key = ?');
  const written = new WriteListeners();
  const ephemeral = new Listeners<PublishedEvent>();
  let closing: Promise<void> | undefined;

  return {
    ...recordReads(selectFrom(db), { readsOf, stepRows, hint, property }),
    ...gatheredReads(readTogether(db)),
    ...timerClaims(db, (job) => writer.write(job).then((written) => (written.ok && written.claims) || [])),
    ...logReads(db, { readsOf, stepRows }),

    async commit(change) {
      const result = await writer.write(encodeChange(change));
      if (!result.ok) return result;
      written.publish();
      const { position, seq } = result;
      const saved = toCommitted(change, (index) => ({ cursor: toCursor(position + index), seq: seq + index }));
      if (saved.events.length > 0) committed.publish(saved.events);
      return saved;
    },

    onCommitted: (listener) => committed.listen(listener),
    onWritten: (listener) => written.listen(listener),
    publish: (event) => void setImmediate(() => closing ?? ephemeral.publish(event)),
    onPublished: (listener) => ephemeral.listen(listener),

    async getOrCreateMeta({ key, value }) {
      addMeta.run(key, value);
      return String(findMeta.get(key)?.value);
    },

    /** Checks only what costs nothing; `holdpoint doctor` reads every page. */
    async checkReady() {
      if (closing) throw storageError('the store is closed');
      if (isDamaged) throw damaged();
      await writer.check();
      let fault: string | undefined;
      try {
        fault = file.fault();
        findMeta.get('ready');
      } catch (error) {
        throw storageError('the database cannot be read', error);
      }
      if (fault !== undefined) throw storageError(fault);
    },

    blockedWrites: () => 0,

    close: () => (closing ??= Promise.all([writer.close(), reader.close()]).then(letGo)),
  };
}

/** A folder with the files of SQLite. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databaseFile } from '../../src/stores/sqlite/open-database.ts';
import type { DataPlace, Watcher } from '../data-place.ts';

export function newFolderPlace(): DataPlace {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-'));
  const database = join(folder, databaseFile);
  const log = `${database}-wal`;
  const open = () => new DatabaseSync(database, { readOnly: true });
  return {
    config: { dataFolder: folder },
    flags: ['--data', folder],
    isOpened: async () => existsSync(join(folder, 'holdpoint.pid')),
    // SQLite removes its log when it is closed in order.
    isClosedInOrder: async () => existsSync(database) && !existsSync(log),
    contents: async () => [database, log].map((file) => readFileSync(file, 'latin1')).join(''),
    blobBytes: async () =>
      readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0),
    async isIntact() {
      using db = open();
      return db.prepare('PRAGMA integrity_check').get()?.integrity_check === 'ok';
    },
    watch: async () => watcherOf(open()),
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function watcherOf(db: DatabaseSync): Watcher {
  const dataVersion = db.prepare('PRAGMA data_version');
  return {
    changes: async () => Number(dataVersion.get()?.data_version),
    [Symbol.asyncDispose]: async () => db.close(),
  };
}

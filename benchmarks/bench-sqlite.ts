/** SQLite for benchmarks: each place is a folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchStore, Place } from './bench-store.ts';
import { sampledIds } from './seed-plan.ts';
import { readIds, seededFolder } from './seed-sqlite.ts';

export function benchSqlite(scratch: string): BenchStore {
  return {
    name: 'sqlite',
    settings: {},
    emptyPlace: async () => placeIn(mkdtempSync(join(scratch, 'empty-'))),
    async seededPlace(stored) {
      const folder = seededFolder({ stored, scratch });
      const count = sampledIds(stored);
      const pending = "status = 'pending'";
      return {
        ...placeIn(folder),
        threadIds: readIds({ folder, table: 'threads', count: count.threads }),
        interactionIds: readIds({ folder, table: 'interactions', count: count.interactions }),
        pendingIds: readIds({ folder, table: 'interactions', where: pending, count: count.pending }),
      };
    },
    close: async () => {},
  };
}

const placeIn = (folder: string): Place => ({
  flags: ['--data', folder],
  remove: async () => rmSync(folder, { recursive: true }),
});

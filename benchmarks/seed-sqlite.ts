/** Data folders with many interactions, written by the server's own code, and kept between runs. */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorOrg } from '../packages/server/src/operations/access/orgs.ts';
import { encodeChange } from '../packages/server/src/stores/sql/encode-change.ts';
import { changeApplier } from '../packages/server/src/stores/sqlite/apply-change.ts';
import { databaseFile, migrate, openDatabase } from '../packages/server/src/stores/sqlite/open-database.ts';
import type { Change } from '../packages/server/src/stores/store.ts';
import { answerSample, askSample } from './sample.ts';
import { planSeed } from './seed-plan.ts';

/** Change this number when the seeded data changes. */
const seedVersion = versionOfSeed();

/** Copies the kept folder for one server. */
export function seededFolder({ stored, scratch }: { stored: number; scratch: string }): string {
  const name = `holdpoint-bench-${stored}-`;
  const kept = join(tmpdir(), name + seedVersion);
  if (!existsSync(kept)) {
    // A million interactions take 4.4 GB, so folders of older versions are deleted.
    for (const old of readdirSync(tmpdir()).filter((entry) => entry.startsWith(name)))
      rmSync(join(tmpdir(), old), { recursive: true, force: true });
    const unfinished = `${kept}.${process.pid}`;
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished, { recursive: true });
    seed(join(unfinished, databaseFile), stored);
    renameSync(unfinished, kept);
  }
  const folder = join(scratch, `data-${stored}-${Math.random().toString(36).slice(2)}`);
  mkdirSync(folder);
  copyFileSync(join(kept, databaseFile), join(folder, databaseFile));
  return folder;
}

/** Any `count` of the ids, spread over all of them. */
export function readIds({ folder, table, where = '1', count }: IdQuery): string[] {
  const db = openDatabase(join(folder, databaseFile));
  try {
    const newest = Number(db.prepare(`SELECT max(position) AS newest FROM ${table}`).get()?.newest);
    const after = db.prepare(`SELECT id FROM ${table} WHERE position >= ? AND ${where} ORDER BY position LIMIT 1`);
    const ids = new Set<string>();
    for (let tries = 0; ids.size < count && tries < count * 3; tries++) {
      const id = after.get(Math.ceil(Math.random() * newest))?.id;
      if (id) ids.add(String(id));
    }
    return [...ids];
  } finally {
    db.close();
  }
}

interface IdQuery {
  folder: string;
  table: 'threads' | 'interactions';
  where?: string;
  count: number;
}

function versionOfSeed(): string {
  const migrations = new URL('../packages/server/migrations/sqlite/', import.meta.url);
  const sources = [
    ...readdirSync(migrations)
      .sort()
      .map((name) => new URL(name, migrations)),
    new URL('./sample.ts', import.meta.url),
    new URL('./seed-plan.ts', import.meta.url),
    new URL(import.meta.url),
    new URL('../packages/server/src/stores/sql/encode-change.ts', import.meta.url),
  ];
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  return hash.digest('hex').slice(0, 12);
}

function seed(path: string, stored: number): void {
  const db = openDatabase(path);
  migrate(db);
  // The journal and the syncs only matter when the seeding is cut short, and then the folder is thrown away.
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
  db.exec('PRAGMA cache_size = -1500000');
  const applyEncoded = changeApplier(db);
  const apply = (change: Change) => {
    const written = applyEncoded(encodeChange(change));
    if (!written.ok) throw new Error(`a seeded row was refused: ${written.reason}`);
  };
  const orgId = operatorOrg;
  const { threads, batches } = planSeed(stored);
  db.exec('BEGIN');
  for (const thread of threads) apply(thread);
  db.exec('COMMIT');
  for (const batch of batches()) {
    db.exec('BEGIN');
    for (const { id, threadId, askedAt, answeredAt } of batch) {
      const asked = askSample({ id, threadId, now: askedAt });
      const log = { threadId, events: asked.events };
      apply({ orgId, interaction: { record: asked.interaction, expectedVersion: 0 }, log });
      if (answeredAt === undefined) continue;
      const { interaction, events } = answerSample(asked.interaction, answeredAt);
      apply({ orgId, interaction: { record: interaction, expectedVersion: 1 }, log: { threadId, events } });
    }
    db.exec('COMMIT');
  }
  db.exec('PRAGMA journal_mode = WAL');
  db.close();
}

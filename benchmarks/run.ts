/** `npm run bench [-- --store postgres] [-- --quick] [-- --only create,answer]`. A wrong name prints the valid names. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bench } from './bench.ts';
import { benchPostgres } from './bench-postgres.ts';
import { benchSqlite } from './bench-sqlite.ts';
import type { BenchStore, StoreName } from './bench-store.ts';
import { startLoad } from './load.ts';
import { render, save } from './report.ts';
import { partsOf, settingsOf, small } from './settings.ts';
import { spawnCeiling } from './spawn-server.ts';

const stores: Record<StoreName, (scratch: string) => BenchStore | Promise<BenchStore>> = {
  sqlite: benchSqlite,
  postgres: benchPostgres,
};

const { values: flags } = parseArgs({
  options: { store: { type: 'string', default: 'sqlite' }, quick: { type: 'boolean' }, only: { type: 'string' } },
});

/** One of the names a flag takes. */
function named<Name extends string>(flag: string, names: readonly Name[], given: string): Name {
  const name = names.find((candidate) => candidate === given);
  if (!name) throw new Error(`--${flag} takes ${names.join(', ')}, not ${given}`);
  return name;
}

const storeName = named('store', Object.keys(stores) as StoreName[], flags.store);
const allParts = partsOf[storeName];
const parts = flags.only?.split(',').map((given) => named('only', allParts, given)) ?? allParts;
const settings = flags.quick ? settingsOf.quick : settingsOf.thorough;

const scratch = mkdtempSync(join(tmpdir(), 'holdpoint-bench-run-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const load = startLoad();
const ceiling = await spawnCeiling(scratch);
const store = await stores[storeName](scratch);
try {
  const findings = await bench({ store, load, ceiling, settings, parts });
  process.stdout.write(render(findings));
  const path = save(findings, { ...settings, small, only: parts, database: store.settings });
  process.stderr.write(`written to ${path}\n`);
} finally {
  load.close();
  await ceiling.stop();
  await store.close();
}

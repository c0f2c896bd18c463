/** `npm run bench [-- --quick] [-- --only create,get,answer,answer-old,cycle,wake,waiters,start]` */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Load, startLoad } from './load.ts';
import { type HttpOperation, httpOperations, measureHttp } from './measure-http.ts';
import { measureStart } from './measure-start.ts';
import { type IdleWaiters, measureIdleWaiters, measureWake, type WakeTimes, wakeRow } from './measure-waiters.ts';
import { render, save } from './report.ts';
import type { Row } from './row.ts';
import { type Spawned, spawnCeiling } from './spawn-server.ts';
import { percentile } from './statistics.ts';
import { openSubject, type Subject } from './subject.ts';

const parts = [...httpOperations, 'wake', 'waiters', 'start'] as const;
const { values: flags } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const chosen = flags.only?.split(',') ?? [...parts];
const unknown = chosen.find((name) => !parts.includes(name as (typeof parts)[number]));
if (unknown) throw new Error(`--only takes ${parts.join(', ')}, not ${unknown}`);

const small = 1_000;
const settings = flags.quick
  ? { large: 10_000, rounds: 2, durationMs: 800, warmUpMs: 1_500, wakeMs: 2_000, waiters: 2_000, starts: 3 }
  : { large: 1_000_000, rounds: 5, durationMs: 1_500, warmUpMs: 4_000, wakeMs: 8_000, waiters: 10_000, starts: 10 };
const clientCounts = [1, 64];
const wokenWaiters = 200;

const say = (line: string) => process.stderr.write(`${line}\n`);
const isChosen = (part: (typeof parts)[number]) => chosen.includes(part);

async function bench(scratch: string, load: Load, ceiling: Spawned): Promise<void> {
  const rows: Row[] = [];
  const wakes: WakeTimes[] = [];
  if (chosen.some((part) => part !== 'start' && part !== 'waiters')) {
    const large = await openSubject({ stored: settings.large, scratch });
    // The small store is made anew for every row, so that it stays small.
    const withSmall = async <T>(measure: (subjects: Subject[]) => Promise<T>): Promise<T> => {
      const fresh = await openSubject({ stored: small, scratch });
      const measured = await measure([fresh, large]);
      await fresh.close();
      return measured;
    };
    for (const operation of httpOperations.filter(isChosen))
      for (const clients of operation === 'answer-old' ? [64] : clientCounts) {
        say(`${operation}, ${clients} clients`);
        const measured = await withSmall((both) => measureOperation(load, ceiling, both, operation, clients));
        rows.push(...measured);
      }
    if (isChosen('wake')) {
      say('waiters at low load');
      const measured = await withSmall(async (both) => {
        const times: WakeTimes[] = [];
        for (const subject of both) times.push(await measureWake(load, subject, settings.wakeMs));
        return times;
      });
      wakes.push(...measured);
      rows.push(...measured.map((times) => wakeRow('answer sent → waiter returns', 1, times)));
    }
    await large.close();
  }
  const waiters = isChosen('waiters') ? await idleWaiters(load, scratch, rows) : undefined;
  const startP50Ms = isChosen('start') ? await starts(scratch, rows) : undefined;
  const findings = { rows, wakes, ...(waiters ? { waiters } : {}), ...(startP50Ms ? { startP50Ms } : {}) };
  process.stdout.write(render(findings));
  say(`written to ${save(findings, { ...settings, small, only: chosen })}`);
}

async function measureOperation(
  load: Load,
  ceiling: Spawned,
  subjects: readonly Subject[],
  operation: HttpOperation,
  clients: number,
): Promise<Row[]> {
  const { rounds, durationMs, warmUpMs } = settings;
  // A thousand stored interactions are answered in a tenth of a second: only the large store has old ones enough.
  const asked = operation === 'answer-old' ? subjects.filter(({ stored }) => stored > small) : subjects;
  return measureHttp({ load, ceiling, subjects: asked, rounds, durationMs, warmUpMs }, operation, clients);
}

async function idleWaiters(load: Load, scratch: string, rows: Row[]): Promise<IdleWaiters> {
  const { waiters: count } = settings;
  say(`${count} idle waiters`);
  const subject = await openSubject({ stored: count * 3, scratch });
  const waiters = await measureIdleWaiters(load, subject, { count, woken: wokenWaiters });
  await subject.close();
  rows.push({ ...wakeRow('one of the idle waiters returns', count, waiters.wake), memoryMb: waiters.totalMb });
  return waiters;
}

async function starts(scratch: string, rows: Row[]): Promise<number> {
  say('starts');
  const times = await measureStart({ scratch, times: settings.starts });
  const p50Ms = percentile(times, 0.5);
  rows.push({ operation: 'start → first answer', clients: 1, stored: 0, p50Ms, p99Ms: percentile(times, 0.99) });
  return p50Ms;
}

const scratch = mkdtempSync(join(tmpdir(), 'holdpoint-bench-run-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
const load = startLoad();
const ceiling = await spawnCeiling(scratch);
await bench(scratch, load, ceiling);
load.close();
await ceiling.stop();

/** Measures the chosen parts, one after the other, and collects the results. */
import { availableParallelism } from 'node:os';
import type { BenchStore } from './bench-store.ts';
import type { Load } from './load.ts';
import { measureClient } from './measure-client.ts';
import { measureDispatch } from './measure-dispatch.ts';
import { measureGrouping } from './measure-grouping.ts';
import { type HttpOperation, httpOperations, measureHttp } from './measure-http.ts';
import { measureNeighbours, neighbourRows } from './measure-neighbours.ts';
import { acrossRows, measureAcross, measureTwoNodes } from './measure-nodes.ts';
import { measurePeople } from './measure-people.ts';
import { measureRuns } from './measure-runs.ts';
import { measureStart } from './measure-start.ts';
import { measureTimers } from './measure-timers.ts';
import { measureIdleWaiters, measureWake, wakeRow } from './measure-waiters.ts';
import { measureWebhooks } from './measure-webhooks.ts';
import { percentile } from './rows.ts';
import { type Part, type Settings, small } from './settings.ts';
import { openSubject, type Spawned, type Subject } from './spawn-server.ts';
import type { Findings } from './targets.ts';
import { measureWidget } from './widget.ts';

export interface Bench {
  store: BenchStore;
  load: Load;
  ceiling: Spawned;
  settings: Settings;
  parts: readonly Part[];
}

const clientCounts = [1, 64];
const wokenWaiters = 200;
const say = (line: string) => process.stderr.write(`${line}\n`);

export async function bench(run: Bench): Promise<Findings> {
  const findings: Findings = { store: run.store.name, rows: [], wakes: [], wakesAcross: [], notes: [] };
  const isChosen = (part: Part) => run.parts.includes(part);
  const onBothSizes = [...httpOperations, 'wake', 'wake-across', 'two-nodes'] as const;
  if (onBothSizes.some(isChosen)) await atBothSizes(run, findings, isChosen);
  if (isChosen('grouping')) await grouping(run, findings);
  if (isChosen('waiters')) await idleWaiters(run, findings);
  if (isChosen('timers')) await timers(run, findings);
  if (isChosen('dispatch')) await dispatch(run, findings);
  if (isChosen('runs')) await runs(run, findings);
  if (isChosen('webhook')) await webhooks(run, findings);
  if (isChosen('start')) await starts(run, findings);
  if (isChosen('client')) await client(run, findings);
  if (isChosen('people')) await people(run, findings);
  if (isChosen('neighbours')) await neighbours(run, findings);
  if (isChosen('widget')) await widget(run, findings);
  return findings;
}

async function atBothSizes(run: Bench, findings: Findings, isChosen: (part: Part) => boolean): Promise<void> {
  const { store, load, settings } = run;
  const { rows, wakes, wakesAcross, notes } = findings;
  const large = await openSubject(store, settings.large);
  // Each row gets a new small store, so that the store stays small.
  const withSmall = async <T>(measure: (subjects: Subject[]) => Promise<T>): Promise<T> => {
    const fresh = await openSubject(store, small);
    const measured = await measure([fresh, large]);
    await fresh.close();
    return measured;
  };
  for (const operation of httpOperations.filter(isChosen))
    for (const clients of operation === 'answer-old' ? [64] : clientCounts) {
      say(`${operation}, ${clients} clients`);
      rows.push(...(await withSmall((both) => measureOperation(run, both, operation, clients))));
    }
  if (isChosen('wake')) {
    say('waiters at low load');
    await withSmall(async (both) => {
      for (const subject of both) wakes.push(await measureWake(load, subject, { durationMs: settings.wakeMs }));
    });
    rows.push(...wakes.map((times) => wakeRow('answer sent → waiter returns', 1, times)));
  }
  if (isChosen('wake-across')) {
    say('waiters at another node');
    await withSmall(async (both) => {
      for (const subject of both) wakesAcross.push(await measureAcross(load, subject, settings.wakeMs));
    });
    rows.push(...wakesAcross.flatMap(acrossRows));
  }
  if (isChosen('two-nodes')) {
    say('two nodes against one');
    rows.push(...(await measureTwoNodes(load, large, settings)));
    const cores = availableParallelism();
    notes.push(
      `This machine has ${cores} cores for the nodes, the database and the load: they bound what a second node adds.`,
    );
  }
  await large.close();
}

function measureOperation(run: Bench, subjects: readonly Subject[], operation: HttpOperation, clients: number) {
  // Clients answer a thousand interactions in a tenth of a second. Only the large store has enough old ones.
  const asked = operation === 'answer-old' ? subjects.filter(({ stored }) => stored > small) : subjects;
  const { load, ceiling, settings } = run;
  return measureHttp({ load, ceiling, subjects: asked, ...settings }, operation, clients);
}

async function grouping({ store, settings }: Bench, findings: Findings): Promise<void> {
  say('writes in groups and one by one');
  const place = await store.seededPlace(small);
  const { rounds, groupedWrites: writes } = settings;
  const { rows, gain } = await measureGrouping(place, { stored: small, rounds, writes });
  await place.remove();
  findings.rows.push(...rows);
  findings.groupingGain = gain;
}

async function idleWaiters({ store, load, settings }: Bench, findings: Findings): Promise<void> {
  const { waiters: count } = settings;
  say(`${count} idle waiters`);
  const subject = await openSubject(store, count * 3);
  const waiters = await measureIdleWaiters(load, subject, { count, woken: wokenWaiters });
  await subject.close();
  const row = wakeRow('one of the idle waiters returns', count, waiters.wake);
  findings.rows.push({ ...row, memoryMb: waiters.totalMb });
  findings.waiters = waiters;
}

async function timers({ store, settings }: Bench, findings: Findings): Promise<void> {
  say('deadlines');
  const { costs, row } = await measureTimers(store, settings.timers);
  findings.rows.push(row);
  findings.timers = costs;
}

async function dispatch({ store, load, settings }: Bench, findings: Findings): Promise<void> {
  say('dispatch');
  findings.rows.push(...(await measureDispatch(store, load, { ...settings, past: [small, settings.large] })));
}

async function runs({ store, settings }: Bench, findings: Findings): Promise<void> {
  say(`${settings.runs.waiting} waiting runs`);
  const { runs: waiting, row } = await measureRuns(store, settings.runs);
  findings.rows.push(row);
  findings.runs = waiting;
}

async function webhooks({ store, load, settings }: Bench, findings: Findings): Promise<void> {
  say('webhooks');
  const { times, row } = await measureWebhooks(store, load, { durationMs: settings.wakeMs });
  findings.rows.push(row);
  findings.webhook = times;
}

async function starts({ store, settings }: Bench, findings: Findings): Promise<void> {
  say('starts');
  const times = await measureStart(store, settings.starts);
  const [p50Ms, p99Ms] = [percentile(times, 0.5), percentile(times, 0.99)];
  findings.rows.push({ operation: 'start → first answer', clients: 1, stored: 0, p50Ms, p99Ms });
  findings.startP50Ms = p50Ms;
}

async function client({ store, settings }: Bench, findings: Findings): Promise<void> {
  say('the client');
  const { rows, addedP50Ms } = await measureClient(store, settings.clientTurns);
  findings.rows.push(...rows);
  findings.askAddsP50Ms = addedP50Ms;
}

async function people({ store, settings }: Bench, findings: Findings): Promise<void> {
  say('people');
  const { rows, ratios } = await measurePeople(store, settings.people);
  findings.rows.push(...rows);
  findings.people = ratios;
}

async function neighbours({ store, load, settings }: Bench, findings: Findings): Promise<void> {
  const { measured, notes } = await measureNeighbours(store, load, settings.neighbours);
  findings.rows.push(...measured.flatMap(neighbourRows));
  findings.neighbours = measured;
  findings.notes.push(...notes);
}

async function widget({ store, settings }: Bench, findings: Findings): Promise<void> {
  say('the widget');
  findings.widget = await measureWidget(store, settings.widget);
}

/** Measures the gain of group commit: many creates at once, and the same creates with one transaction each. */
import { performance } from 'node:perf_hooks';
import { newId } from '../packages/server/src/new-id.ts';
import { operatorOrg } from '../packages/server/src/operations/access/orgs.ts';
import { writeBatch } from '../packages/server/src/stores/postgres/batch-writer.ts';
import { Connection } from '../packages/server/src/stores/postgres/connection.ts';
import { openPostgresStore } from '../packages/server/src/stores/postgres/postgres-store.ts';
import { encodeChange } from '../packages/server/src/stores/sql/encode-change.ts';
import type { Change } from '../packages/server/src/stores/store.ts';
import type { SeededPlace } from './bench-store.ts';
import { median, percentile, type Row } from './rows.ts';
import { askSample } from './sample.ts';

const callers = 64;
const plainConnections = 16;
/** Positions of a database that was never restored elsewhere (log-order.ts). */
const logBase = 0n;

interface Way {
  operation: string;
  clients: number;
  write(change: Change, client: number): Promise<{ ok: boolean }>;
  rounds: Round[];
}

interface Round {
  perSecond: number;
  p50: number;
  p99: number;
}

export interface Grouping {
  rows: Row[];
  /** Writes per second in groups, divided by writes per second with one transaction each. */
  gain: number;
}

export async function measureGrouping(
  { databaseUrl: url = '', threadIds }: SeededPlace,
  { stored, rounds, writes }: { stored: number; rounds: number; writes: number },
): Promise<Grouping> {
  const store = await openPostgresStore({ url });
  const plain = Array.from({ length: plainConnections }, () => new Connection({ url }));
  const grouped: Way = {
    operation: 'store commit, grouped',
    clients: callers,
    write: (change) => store.commit(change),
    rounds: [],
  };
  const single: Way = {
    operation: 'store commit, one by one',
    clients: plainConnections,
    async write(change, client) {
      const [written] = await writeBatch(plain[client] as Connection, [encodeChange(change)], { base: logBase });
      return written ?? { ok: false };
    },
    rounds: [],
  };
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round++)
    for (const way of [grouped, single]) way.rounds.push(await writeAll(way, sampleCreates(threadIds, writes)));
  await Promise.all([store, ...plain].map((part) => part.close()));
  const [inGroups, oneByOne] = [grouped, single].map((way) => toRow(way, stored)) as [Row, Row];
  return { rows: [inGroups, oneByOne], gain: (inGroups.perSecond ?? 0) / (oneByOne.perSecond ?? 0) };
}

function sampleCreates(threadIds: readonly string[], count: number): Change[] {
  const now = Date.now();
  return Array.from({ length: count }, (_none, index) => {
    const threadId = threadIds[index % threadIds.length] ?? '';
    const { interaction, events } = askSample({ id: newId(), threadId, now });
    return { orgId: operatorOrg, interaction: { record: interaction, expectedVersion: 0 }, log: { threadId, events } };
  });
}

/** Every client writes its next change when the last is committed. */
async function writeAll({ clients, write }: Way, changes: readonly Change[]): Promise<Round> {
  const times: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  const runClient = async (_none: unknown, client: number) => {
    for (let change = changes[next++]; change; change = changes[next++]) {
      const sentAt = performance.now();
      const { ok } = await write(change, client);
      if (!ok) throw new Error('a create was refused');
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: clients }, runClient));
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: times.length / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function toRow({ operation, clients, rounds }: Way, stored: number): Row {
  const middle = (key: keyof Round) => median(rounds.slice(1).map((round) => round[key]));
  return { operation, clients, stored, perSecond: middle('perSecond'), p50Ms: middle('p50'), p99Ms: middle('p99') };
}

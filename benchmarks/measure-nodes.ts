/** Two nodes on one database: the delay until one sees a commit of the other, and the throughput that the second adds. */
import type { Result } from './jobs.ts';
import { type Load, startLoad } from './load.ts';
import { measureWake, type WakeTimes } from './measure-waiters.ts';
import { median, type Row } from './rows.ts';
import { type Spawned, type Subject, spawnHoldpoint } from './spawn-server.ts';

async function withSecondNode<T>({ place }: Subject, measure: (second: Spawned) => Promise<T>): Promise<T> {
  const second = await spawnHoldpoint(place);
  try {
    return await measure(second);
  } finally {
    await second.stop();
  }
}

/** The subject's server takes the answers. The waiters wait at a second server. */
export const measureAcross = (load: Load, subject: Subject, durationMs: number): Promise<WakeTimes> =>
  withSecondNode(subject, (waiter) => measureWake(load, subject, { durationMs, waiter }));

export const acrossRows = ({ stored, afterAnswer, fromAnswerSent }: WakeTimes): Row[] => [
  {
    operation: 'answer sent to A → waiter at B returns',
    clients: 1,
    stored,
    p50Ms: fromAnswerSent.p50,
    p99Ms: fromAnswerSent.p99,
  },
  {
    operation: 'A has answered → waiter at B returns',
    clients: 1,
    stored,
    p50Ms: afterAnswer.p50,
    p99Ms: afterAnswer.p99,
  },
];

const clients = 64;

interface Rounds {
  rounds: number;
  durationMs: number;
  warmUpMs: number;
}

/** The same clients from two generators, in turn: both at one node, then each at its own node. */
export async function measureTwoNodes(load: Load, subject: Subject, rounds: Rounds): Promise<Row[]> {
  const { stored, server, interactionIds: ids } = subject;
  const other = startLoad();
  const get = { type: 'loop', operation: 'get', clients: clients / 2, ids, isOnce: false } as const;
  const read = (durationMs: number, first: Spawned, second: Spawned): Promise<Result[]> =>
    Promise.all([
      load.run({ ...get, durationMs, port: first.port }),
      other.run({ ...get, durationMs, port: second.port }),
    ]);
  const one: Result[][] = [];
  const two: Result[][] = [];
  await withSecondNode(subject, async (second) => {
    await read(rounds.warmUpMs, server, second);
    for (let round = 0; round < rounds.rounds; round++) {
      one.push(await read(rounds.durationMs, server, server));
      two.push(await read(rounds.durationMs, server, second));
    }
  });
  other.close();
  const row = (operation: string, results: readonly Result[][]): Row => ({
    operation,
    clients,
    stored,
    perSecond: median(results.map((pair) => pair.reduce((sum, { perSecond }) => sum + perSecond, 0))),
    p50Ms: median(results.flat().map(({ p50 }) => p50)),
    p99Ms: median(results.flat().map(({ p99 }) => p99)),
  });
  return [row('get, one node', one), row('get, two nodes', two)];
}

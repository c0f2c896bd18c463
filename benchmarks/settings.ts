/** The measured sizes and durations of a run. */
import type { StoreName } from './bench-store.ts';
import { httpOperations } from './measure-http.ts';

const everyStore = [
  ...httpOperations,
  'wake',
  'waiters',
  'timers',
  'dispatch',
  'runs',
  'webhook',
  'start',
  'client',
  'people',
  'neighbours',
] as const;
const manyNodes = ['grouping', 'wake-across', 'two-nodes'] as const;
/** Parts that use no store, so that measuring on one store is enough. */
const noStore = ['widget'] as const;
export type Part = (typeof everyStore)[number] | (typeof manyNodes)[number] | (typeof noStore)[number];

export const partsOf: Record<StoreName, readonly Part[]> = {
  sqlite: [...everyStore, ...noStore],
  postgres: [...everyStore, ...manyNodes],
};

/** Number of interactions in the smaller store. */
export const small = 1_000;

const thorough = {
  large: 1_000_000,
  rounds: 5,
  durationMs: 1_500,
  /** A new server takes some seconds of load until its code is compiled. */
  warmUpMs: 4_000,
  wakeMs: 8_000,
  waiters: 10_000,
  timers: { pending: 100_000, idleForMs: 20_000, due: 1_000 },
  runs: { waiting: 10_000, resumed: 200 },
  starts: 10,
  clientTurns: 500,
  people: { people: 10_000, groups: 500, rounds: 6, calls: 2_000 },
  widget: { times: 9, typings: 3 },
  /** In each round of each way. */
  groupedWrites: 8_000,
  /** Each round of each side ends after `turns` turns or `maxMs`. */
  neighbours: { stored: 500_000, rounds: 5, turns: 500, maxMs: 15_000 },
};
export type Settings = typeof thorough;

const quick: Settings = {
  large: 10_000,
  rounds: 2,
  durationMs: 800,
  warmUpMs: 1_500,
  wakeMs: 2_000,
  waiters: 2_000,
  timers: { pending: 10_000, idleForMs: 5_000, due: 1_000 },
  runs: { waiting: 1_000, resumed: 50 },
  starts: 3,
  clientTurns: 200,
  people: { people: 1_000, groups: 50, rounds: 3, calls: 1_000 },
  widget: { times: 3, typings: 1 },
  groupedWrites: 2_000,
  neighbours: { stored: 20_000, rounds: 2, turns: 200, maxMs: 5_000 },
};

export const settingsOf = { quick, thorough };

/** What the numbers should be. A missed one is reported, not failed: the machine may be at fault. */
import type { IdleWaiters, WakeTimes } from './measure-waiters.ts';
import type { Row } from './row.ts';

export interface Target {
  name: string;
  value: number;
  bound: number;
  isAtLeast: boolean;
  isMet: boolean;
}

export interface Findings {
  rows: readonly Row[];
  wakes: readonly WakeTimes[];
  waiters?: IdleWaiters;
  startP50Ms?: number;
}

const atLeast = (name: string, value: number, bound: number): Target => ({
  name,
  value,
  bound,
  isAtLeast: true,
  isMet: value >= bound,
});
const atMost = (name: string, value: number, bound: number): Target => ({
  name,
  value,
  bound,
  isAtLeast: false,
  isMet: value <= bound,
});

const leastRatio: Record<string, number> = { create: 0.6, answer: 0.6, get: 0.8 };
const mostGrowth = 1.3;

export function judge({ rows, wakes, waiters, startP50Ms }: Findings): Target[] {
  return [
    ...rows.flatMap(({ operation, clients, stored, ratio, perSecond }) => {
      const bound = leastRatio[operation];
      if (bound === undefined || ratio === undefined || clients !== 64) return [];
      const name = `${operation}, 64 clients, ${stored.toLocaleString('en')} stored: ratio to`;
      const validated = validatedCeiling(rows, clients);
      return [
        atLeast(`${name} the same call doing nothing`, ratio, bound),
        // A GET has no body to check, so doing nothing is nearly free: beside it stands what a checked body costs.
        ...(operation === 'create' || !validated || !perSecond
          ? []
          : [atLeast(`${name} a create checked and answered`, perSecond / validated, bound)]),
      ];
    }),
    ...growth(rows),
    // Both responses follow the commit, which nobody outside can see; the table's row has the upper bound.
    ...wakes.flatMap(({ stored, afterAnswer }) => [
      atMost(`waiter after the answer's response, ${stored.toLocaleString('en')} stored: p50 ms`, afterAnswer.p50, 2),
      atMost(`waiter after the answer's response, ${stored.toLocaleString('en')} stored: p99 ms`, afterAnswer.p99, 10),
    ]),
    ...(waiters
      ? [
          atMost(`${waiters.count.toLocaleString('en')} idle waiters: KB each`, waiters.kbEach, 15),
          atMost(`${waiters.count.toLocaleString('en')} idle waiters: MB in all`, waiters.totalMb, 250),
        ]
      : []),
    ...(startP50Ms === undefined ? [] : [atMost('start to first answer: p50 ms', startP50Ms, 500)]),
  ];
}

/** Cost is the server's time per request, so the inverse of requests per second; both sizes took turns in one run. */
function growth(rows: readonly Row[]): Target[] {
  const timed = rows.flatMap(({ perSecond, ...row }) => (perSecond === undefined ? [] : [{ ...row, perSecond }]));
  const smallest = Math.min(...timed.map(({ stored }) => stored));
  return timed.flatMap(({ operation, clients, stored, perSecond }) => {
    const small = timed.find(
      (row) => row.stored === smallest && row.operation === operation && row.clients === clients,
    );
    if (!small || stored === smallest) return [];
    const sizes = `${stored.toLocaleString('en')} / at ${smallest.toLocaleString('en')}`;
    return [atMost(`${operation}, ${clients} clients: cost at ${sizes}`, small.perSecond / perSecond, mostGrowth)];
  });
}

const validatedCeiling = (rows: readonly Row[], clients: number): number | undefined =>
  rows.find((row) => row.operation === 'create' && row.clients === clients)?.ceilingPerSecond;

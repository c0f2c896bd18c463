/** Bounds for the numbers. A missed bound is reported and does not fail the run, because the machine may be the cause. */
import type { StoreName } from './bench-store.ts';
import type { Neighbours } from './measure-neighbours.ts';
import type { PeopleTimes } from './measure-people.ts';
import type { WaitingRuns } from './measure-runs.ts';
import type { TimerCosts } from './measure-timers.ts';
import type { IdleWaiters, WakeTimes } from './measure-waiters.ts';
import type { WebhookTimes } from './measure-webhooks.ts';
import { median, type Row } from './rows.ts';
import { medianTyping, type WidgetFindings } from './widget.ts';
import { frameMs } from './widget-typing.ts';

export interface Target {
  name: string;
  value: number;
  bound: number;
  isAtLeast: boolean;
  isMet: boolean;
}

export interface Findings {
  store: StoreName;
  rows: Row[];
  wakes: WakeTimes[];
  /** Waiters at another node than the one that takes the answer. */
  wakesAcross: WakeTimes[];
  waiters?: IdleWaiters;
  timers?: TimerCosts;
  runs?: WaitingRuns;
  webhook?: WebhookTimes;
  startP50Ms?: number;
  /** Time that `ask` of the client adds to the bare calls. */
  askAddsP50Ms?: number;
  widget?: WidgetFindings;
  groupingGain?: number;
  /** Ratios of the p50 of calls. */
  people?: PeopleTimes['ratios'];
  neighbours?: Neighbours[];
  /** Remarks for readers of the numbers. */
  notes: string[];
}

interface Bounds {
  /** Share of the ceiling's requests per second, with 64 clients. */
  leastRatio: Partial<Record<string, number>>;
  wakeMs?: { p50: number; p99: number };
}

/** The bounds of PostgreSQL are lower: every call is a round trip to another process, which has its own work to do. */
const boundsOf: Record<StoreName, Bounds> = {
  sqlite: { leastRatio: { create: 0.6, answer: 0.6, get: 0.8 }, wakeMs: { p50: 2, p99: 10 } },
  postgres: { leastRatio: { create: 0.45, answer: 0.45 } },
};
const mostGrowth = 1.3;
/** Highest allowed ratio of the p99 beside another org to the p99 alone. */
const mostBesideRatio = 2;
const leastGroupingGain = 3;
const mostAcrossP50Ms = 10;
const mostWebhookP50Ms = 10;
/** Two starts of the same server differ by this much. */
const mostWaitingMb = 4;
/** A tenth of a percent of one core. */
const mostIdleMs = 1;

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

export function judge({
  store,
  rows,
  wakes,
  wakesAcross,
  waiters,
  timers,
  runs,
  webhook,
  startP50Ms,
  askAddsP50Ms,
  widget,
  groupingGain,
  people = [],
  neighbours = [],
}: Findings): Target[] {
  const { leastRatio, wakeMs } = boundsOf[store];
  return [
    ...rows.flatMap(({ operation, clients, stored, ratio, perSecond }) => {
      const bound = leastRatio[operation];
      if (bound === undefined || ratio === undefined || clients !== 64) return [];
      const name = `${operation}, 64 clients, ${stored.toLocaleString('en')} stored: ratio to`;
      const validated = validatedCeiling(rows, clients);
      return [
        atLeast(`${name} the same call doing nothing`, ratio, bound),
        // A GET has no body to check, so its ceiling is nearly free. The second bound compares it with a checked body.
        ...(operation === 'create' || !validated || !perSecond
          ? []
          : [atLeast(`${name} a create checked and answered`, perSecond / validated, bound)]),
      ];
    }),
    ...growth(rows),
    // Both responses follow the commit, which no client can see. The row of the table has the upper bound.
    ...wakes.flatMap(({ stored, afterAnswer }) => {
      const name = `waiter after the answer's response, ${stored.toLocaleString('en')} stored`;
      if (!wakeMs) return [];
      return [
        atMost(`${name}: p50 ms`, afterAnswer.p50, wakeMs.p50),
        atMost(`${name}: p99 ms`, afterAnswer.p99, wakeMs.p99),
      ];
    }),
    ...wakesAcross.map(({ stored, afterAnswer }) => {
      const name = `waiter at another node after the answer's response, ${stored.toLocaleString('en')} stored`;
      return atMost(`${name}: p50 ms`, afterAnswer.p50, mostAcrossP50Ms);
    }),
    ...(groupingGain === undefined
      ? []
      : [atLeast('writes per second in groups / one transaction each', groupingGain, leastGroupingGain)]),
    ...(waiters
      ? [
          atMost(`${waiters.count.toLocaleString('en')} idle waiters: KB each`, waiters.kbEach, 15),
          atMost(`${waiters.count.toLocaleString('en')} idle waiters: MB in all`, waiters.totalMb, 250),
        ]
      : []),
    ...(timers ? judgeTimers(timers) : []),
    ...(runs ? judgeRuns(runs) : []),
    ...(webhook
      ? [atMost("webhook received after the answer's response: p50 ms", webhook.afterAnswer.p50, mostWebhookP50Ms)]
      : []),
    ...(startP50Ms === undefined ? [] : [atMost('start to first answer: p50 ms', startP50Ms, 500)]),
    ...(askAddsP50Ms === undefined
      ? []
      : [atMost('ask of the client, more than the bare calls: p50 ms', askAddsP50Ms, 1)]),
    ...people.map(({ name, ratio, bound }) => atMost(name, ratio, bound)),
    ...neighbours.map(({ operation, disturbance, alone, beside }) =>
      atMost(`${operation} beside ${disturbance}: p99 / p99 alone`, beside.p99 / alone.p99, mostBesideRatio),
    ),
    ...(widget ? judgeWidget(widget) : []),
  ];
}

const judgeTimers = ({ pending, idleMs, idleMsOfNone, due, lastFiredMs }: TimerCosts): Target[] => [
  atMost(
    `${pending.toLocaleString('en')} deadlines pending, none due: more processor ms per second than with none`,
    idleMs - idleMsOfNone,
    mostIdleMs,
  ),
  atMost(`${due.toLocaleString('en')} deadlines at one time: ms until the last has fired`, lastFiredMs, 1_000),
];

const judgeRuns = ({ count, memoryMb, memoryMbOfNone, resumeMs }: WaitingRuns): Target[] => [
  atMost(
    `${count.toLocaleString('en')} waiting runs: MB more than a server with none`,
    memoryMb - memoryMbOfNone,
    mostWaitingMb,
  ),
  atMost(`one of ${count.toLocaleString('en')} waiting runs goes on after its answer: p50 ms`, resumeMs.p50, 20),
];

const judgeWidget = ({ sizes, interactive, typing }: WidgetFindings): Target[] => {
  const { dropped, letterMs, bareLetterMs } = medianTyping(typing);
  return [
    atMost('widget, loader: KB', sizes.loader / 1_000, 2),
    atMost('widget, a conversation: KB', sizes.core / 1_000, 20),
    atMost('widget, a form: KB', sizes.form / 1_000, 35),
    atMost(
      'widget, from its script to a composer that takes a letter: median ms',
      median(interactive.composer.wallMs),
      100,
    ),
    atMost('widget, from its script to a form that takes a letter: median ms', median(interactive.form.wallMs), 100),
    atMost('widget, typing into 100 fields: frames dropped', dropped, 0),
    atMost('widget, typing into 100 fields: processor ms that it adds to a letter', letterMs - bareLetterMs, frameMs),
  ];
};

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

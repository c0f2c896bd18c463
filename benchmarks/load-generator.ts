/** The process that makes the load. It does one job at a time and reports to its parent. */
import { performance } from 'node:perf_hooks';
import { Connection } from './connection.ts';
import type { CycleJob, Job, Latency, LoopJob, Result, WorkJob } from './jobs.ts';
import { claimCycle, sayAll, work } from './load-dispatch.ts';
import { calm, disturb } from './load-disturbance.ts';
import { timeTurns, timeUploads } from './load-turns.ts';
import { webhookCycle } from './load-webhooks.ts';
import { create, get, giveAnswer, wait } from './request-bytes.ts';
import { percentile } from './rows.ts';

const operations = {
  create: { bytes: create, status: 201 },
  get: { bytes: get, status: 200 },
  answer: { bytes: giveAnswer, status: 200 },
};

const idOf = (body: Buffer): string => body.toString('latin1', 7, 43);

const openAll = (port: number, count: number): Promise<Connection[]> =>
  Promise.all(Array.from({ length: count }, () => Connection.open(port)));

async function loop({ operation, port, clients, durationMs, ids, isOnce }: LoopJob): Promise<Result> {
  const { bytes, status } = operations[operation];
  const requests = ids.map(bytes);
  const connections = await openAll(port, clients);
  const times: number[] = [];
  const createdIds: string[] = [];
  const startedAt = performance.now();
  let next = 0;
  await new Promise<void>((resolve) => {
    let busy = clients;
    for (const connection of connections) {
      let sentAt = 0;
      const send = () => {
        sentAt = performance.now();
        const request = isOnce ? requests[next++] : requests[next++ % requests.length];
        if (request && sentAt - startedAt < durationMs) connection.send(request, status, received);
        else if (--busy === 0) resolve();
      };
      const received = (body: Buffer) => {
        times.push(performance.now() - sentAt);
        if (operation === 'create') createdIds.push(idOf(body));
        send();
      };
      send();
    }
  });
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of connections) connection.close();
  return { ...noResult, ...latency(times), count: times.length, perSecond: times.length / seconds, createdIds };
}

async function cycle({ port, waiterPort = port, clients, durationMs, threadIds, parkMs }: CycleJob): Promise<Result> {
  const [requesters, waiters] = await Promise.all([openAll(port, clients), openAll(waiterPort, clients)]);
  const requests = threadIds.map(create);
  const times: number[] = [];
  const afterAnswer: number[] = [];
  const fromAnswerSent: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  const runClient = async (requester: Connection, waiter: Connection) => {
    while (performance.now() - startedAt < durationMs) {
      const begunAt = performance.now();
      const created = await requester.ask(requests[next++ % requests.length] ?? create(''), 201);
      const id = created.slice(7, 43);
      let returnedAt = 0;
      const returned = new Promise<void>((resolve) =>
        waiter.send(wait(id), 200, (body) => {
          returnedAt = performance.now();
          if (!body.includes('"status":"answered"')) throw new Error(`a wait returned early: ${body.toString()}`);
          resolve();
        }),
      );
      if (parkMs > 0) await new Promise((resolve) => setTimeout(resolve, parkMs));
      const sentAt = performance.now();
      let answeredAt = 0;
      const answered = new Promise<void>((resolve) =>
        requester.send(giveAnswer(id), 200, () => {
          answeredAt = performance.now();
          resolve();
        }),
      );
      await Promise.all([answered, returned]);
      times.push(performance.now() - begunAt);
      afterAnswer.push(returnedAt - answeredAt);
      fromAnswerSent.push(returnedAt - sentAt);
    }
  };
  await Promise.all(requesters.map((requester, index) => runClient(requester, waiters[index] as Connection)));
  const seconds = (performance.now() - startedAt) / 1000;
  for (const connection of [...requesters, ...waiters]) connection.close();
  return {
    ...noResult,
    ...latency(times),
    count: times.length,
    perSecond: times.length / seconds,
    afterAnswer: latency(afterAnswer),
    fromAnswerSent: latency(fromAnswerSent),
  };
}

interface Held {
  port: number;
  connections: Map<string, { connection: Connection; answeredAt(): Promise<number> }>;
}

let held: Held | undefined;

async function hold({ port, interactionIds }: Extract<Job, { type: 'hold' }>): Promise<Result> {
  held = { port, connections: new Map() };
  for (let from = 0; from < interactionIds.length; from += 200) {
    const ids = interactionIds.slice(from, from + 200);
    const opened = await openAll(port, ids.length);
    for (const [index, id] of ids.entries()) {
      const connection = opened[index] as Connection;
      held.connections.set(id, { connection, answeredAt: keepWaiting(connection, id) });
    }
  }
  return noResult;
}

/** Starts the next wait when a wait times out, like an agent. */
function keepWaiting(connection: Connection, id: string): () => Promise<number> {
  const answered = new Promise<number>((resolve) => {
    const send = () =>
      connection.send(wait(id), 200, (body) => {
        if (body.includes('"status":"answered"')) resolve(performance.now());
        else send();
      });
    send();
  });
  return () => answered;
}

async function wake({ interactionIds }: Extract<Job, { type: 'wake' }>): Promise<Result> {
  if (!held) throw new Error('nothing is held');
  const requester = await Connection.open(held.port);
  const afterAnswer: number[] = [];
  const fromAnswerSent: number[] = [];
  for (const id of interactionIds) {
    const sentAt = performance.now();
    await requester.ask(giveAnswer(id), 200);
    const answeredAt = performance.now();
    const returnedAt = (await held.connections.get(id)?.answeredAt()) ?? Number.NaN;
    afterAnswer.push(returnedAt - answeredAt);
    fromAnswerSent.push(returnedAt - sentAt);
  }
  requester.close();
  return { ...noResult, afterAnswer: latency(afterAnswer), fromAnswerSent: latency(fromAnswerSent) };
}

async function release(): Promise<Result> {
  for (const { connection } of held?.connections.values() ?? []) connection.close();
  held = undefined;
  return noResult;
}

async function worked(job: WorkJob): Promise<Result> {
  const startedAt = performance.now();
  const times = await work(job);
  const seconds = (performance.now() - startedAt) / 1000;
  return { ...noResult, ...latency(times), count: times.length, perSecond: times.length / seconds };
}

const latency = (times: readonly number[]): Latency => ({ p50: percentile(times, 0.5), p99: percentile(times, 0.99) });
const cycled = ({ fromAnswerSent, afterAnswer }: { fromAnswerSent: number[]; afterAnswer: number[] }): Result => ({
  ...noResult,
  fromAnswerSent: latency(fromAnswerSent),
  afterAnswer: latency(afterAnswer),
  samples: { fromAnswerSent, afterAnswer },
});
const noLatency: Latency = { p50: 0, p99: 0 };
const noResult: Result = {
  ...noLatency,
  count: 0,
  perSecond: 0,
  createdIds: [],
  afterAnswer: noLatency,
  fromAnswerSent: noLatency,
  samples: {},
  made: {},
};

function run(job: Job): Promise<Result> {
  switch (job.type) {
    case 'loop':
      return loop(job);
    case 'cycle':
      return cycle(job);
    case 'hold':
      return hold(job);
    case 'wake':
      return wake(job);
    case 'release':
      return release();
    case 'say':
      return sayAll(job).then(() => noResult);
    case 'work':
      return worked(job);
    case 'claim-cycle':
      return claimCycle(job).then(cycled);
    case 'webhook-cycle':
      return webhookCycle(job).then(cycled);
    case 'disturb':
      disturb(job);
      return Promise.resolve(noResult);
    case 'calm':
      return calm().then((made) => ({ ...noResult, made }));
    case 'turns':
      return timeTurns(job).then((samples) => ({ ...noResult, samples }));
    case 'uploads':
      return timeUploads(job).then((samples) => ({ ...noResult, samples }));
  }
}

process.on('message', (job: Job) => {
  run(job).then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));

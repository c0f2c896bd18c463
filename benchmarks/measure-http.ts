/** Throughput of one operation and of its ceiling, in short alternating rounds, so that a noisy machine affects both alike. */
import type { Job, Result } from './jobs.ts';
import type { Load } from './load.ts';
import { processorMs, residentKbNow } from './process-usage.ts';
import { median, type Row } from './rows.ts';
import type { Spawned, Subject } from './spawn-server.ts';

export interface Rounds {
  load: Load;
  ceiling: Spawned;
  subjects: readonly Subject[];
  rounds: number;
  durationMs: number;
  /** A new server takes some seconds of load until its code is compiled. */
  warmUpMs: number;
}

/** `answer-old` answers questions from anywhere in the store, `answer` those asked just before, as people mostly do. */
export const httpOperations = ['create', 'get', 'answer', 'answer-old', 'cycle'] as const;
export type HttpOperation = (typeof httpOperations)[number];

const warmUpClients = 64;

/** A server to send to, and the subject whose ids are sent. */
interface Place {
  server: Spawned;
  subject: Subject;
}

interface Once {
  operation: HttpOperation;
  place: Place;
  clients: number;
  durationMs: number;
  oldShare: number;
}

interface Measured extends Result {
  /** Processor time of the server per request. */
  processorUs: number;
}

export async function measureHttp(
  { load, ceiling, subjects, rounds, durationMs, warmUpMs }: Rounds,
  operation: HttpOperation,
  clients: number,
): Promise<Row[]> {
  const pairs = subjects.map((subject) => ({
    subject,
    limit: { server: ceiling, subject },
    real: { server: subject.server, subject },
    results: [] as Measured[],
    // Old questions can be answered once: the warm-up and every round get an equal share.
    oldShare: Math.floor(subject.pendingIds.length / (rounds + 1)),
  }));
  const limitResults: Measured[] = [];
  for (const { limit, real, oldShare } of pairs)
    for (const place of [limit, real])
      await runOnce(load, { operation, place, clients: warmUpClients, durationMs: warmUpMs, oldShare });
  for (let round = 0; round < rounds; round++)
    for (const { limit, real, results, oldShare } of pairs) {
      limitResults.push(await runOnce(load, { operation, place: limit, clients, durationMs, oldShare }));
      results.push(await runOnce(load, { operation, place: real, clients, durationMs, oldShare }));
    }

  const ceilingPerSecond = middle(limitResults, 'perSecond');
  return pairs.map(({ subject, results }) => {
    const perSecond = middle(results, 'perSecond');
    return {
      operation,
      clients,
      stored: subject.stored,
      perSecond,
      p50Ms: middle(results, 'p50'),
      p99Ms: middle(results, 'p99'),
      ceilingPerSecond,
      ratio: perSecond / ceilingPerSecond,
      processorUs: middle(results, 'processorUs'),
      ceilingProcessorUs: middle(limitResults, 'processorUs'),
      memoryMb: residentKbNow(subject.server.pid) / 1024,
    };
  });
}

const middle = (results: readonly Measured[], key: 'perSecond' | 'p50' | 'p99' | 'processorUs'): number =>
  median(results.map((result) => result[key]));

async function runOnce(load: Load, { operation, place, clients, durationMs, oldShare }: Once): Promise<Measured> {
  const { server, subject } = place;
  const { port, pid } = server;
  const { threadIds, interactionIds, pendingIds } = subject;
  const isReal = server === subject.server;
  const loop = { type: 'loop', port, clients, durationMs, isOnce: false } as const;
  const timed = async (job: Job): Promise<Measured> => {
    const before = processorMs(pid);
    const result = await load.run(job);
    return { ...result, processorUs: ((processorMs(pid) - before) * 1000) / result.count };
  };
  switch (operation) {
    case 'create':
      return timed({ ...loop, operation, ids: threadIds });
    case 'get':
      return timed({ ...loop, operation, ids: interactionIds });
    case 'cycle':
      return timed({ type: 'cycle', port, clients, durationMs, threadIds, parkMs: 0 });
    case 'answer-old': {
      if (!isReal) return timed({ ...loop, operation: 'answer', ids: interactionIds });
      return timed({ ...loop, operation: 'answer', isOnce: true, ids: pendingIds.splice(0, oldShare) });
    }
    case 'answer': {
      if (!isReal) return timed({ ...loop, operation, ids: interactionIds });
      const asking = { ...loop, operation: 'create', clients: warmUpClients, ids: threadIds } as const;
      const { createdIds } = await load.run({ ...asking, durationMs: durationMs * 1.5 });
      return timed({ ...loop, operation, isOnce: true, ids: createdIds });
    }
  }
}

/** The data that every store holds before the clock starts: questions in many threads, some of them answered. */
import { operatorOrg } from '../packages/server/src/operations/access/orgs.ts';
import type { Change } from '../packages/server/src/stores/store.ts';

/** Number of threads that get questions at the same time, for every size: two sizes may differ only in the stored data. */
export const activeThreads = 1_000;
const interactionsPerThread = 100;
const answeredShare = 0.2;
const answeredAfterMs = 5;
const batchSize = 25_000;

/** Ids of stored records, for requests. */
export interface StoredIds {
  threadIds: string[];
  interactionIds: string[];
  /** Ids from the whole store. A client answers each once. */
  pendingIds: string[];
}

export const sampledIds = (stored: number) => ({
  threads: activeThreads,
  interactions: Math.min(stored, 20_000),
  pending: Math.min(stored / 2, 60_000),
});

export interface Planned {
  id: string;
  threadId: string;
  askedAt: number;
  answeredAt: number | undefined;
}

export interface SeedPlan {
  threads: Change[];
  threadIds: string[];
  /** Batches to write in order, with the progress. */
  batches(): Iterable<Planned[]>;
}

export function planSeed(stored: number): SeedPlan {
  const beganAt = Date.now() - stored * 10;
  const threadCount = Math.max(activeThreads, Math.ceil(stored / interactionsPerThread));
  const threadIds = Array.from({ length: threadCount }, () => idAt(beganAt));
  const plan = (index: number): Planned => {
    const askedAt = beganAt + index * 10;
    return {
      id: idAt(askedAt),
      threadId: threadIds[Math.floor(Math.random() * threadCount)] ?? '',
      askedAt,
      answeredAt: Math.random() < answeredShare ? askedAt + answeredAfterMs : undefined,
    };
  };
  return {
    threads: threadIds.map((id) => newThread(id, beganAt)),
    threadIds,
    *batches() {
      for (let from = 0; from < stored; from += batchSize) {
        const size = Math.min(batchSize, stored - from);
        yield Array.from({ length: size }, (_none, index) => plan(from + index));
        if (stored > batchSize) process.stderr.write(`\rseeded ${(from + size).toLocaleString('en')} interactions `);
      }
      if (stored > batchSize) process.stderr.write('\n');
    },
  };
}

function newThread(id: string, now: number): Change {
  const at = new Date(now).toISOString();
  const createdBy = { type: 'agent', id: 'admin', via: 'key' } as const;
  const thread = { id, version: 1, title: 'Releases', createdBy, createdAt: at, updatedAt: at };
  const created = { type: 'thread.created', at, actor: createdBy, data: { thread } } as const;
  return { orgId: operatorOrg, newThread: thread, log: { threadId: id, events: [created] } };
}

/** A UUIDv7 of a given time. */
function idAt(now: number): string {
  const random = crypto.randomUUID();
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

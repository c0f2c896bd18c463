/** Runs the long reads of all orgs in turns, a few at once. Each is a step of a list or of a count, and bounded. */
import { FairQueue } from '../../domain/fair-queue.ts';
import type { Query, Reader, ReadsOf, Row } from './select.ts';

/**
 * A quarter of the readers' time at most is for the reads of one org. On two cores, eight callers of one org made the calls
 * of another take 2.3 to 3.2 times as long at p99 with all of it, and on PostgreSQL up to 3.0 times with half of it.
 */
const orgShare = 0.25;
/** About ten steps, so that a page of a list rests only if there was another just before. */
const burstMs = 20;

interface Step {
  orgId: string;
  queries: readonly Query[];
  resolve(rows: Row[][]): void;
  reject(error: unknown): void;
}

/** One reader for each step that runs at once. */
export function fairReads(readers: readonly Reader[]): ReadsOf {
  const queue = new FairQueue<Step>({ share: orgShare * readers.length, burstMs });
  const idle = [...readers];
  let resting: NodeJS.Timeout | undefined;

  async function run(reader: Reader, { orgId, queries, resolve, reject }: Step): Promise<void> {
    const began = performance.now();
    try {
      resolve(await reader(queries));
    } catch (error) {
      reject(error);
    }
    const now = performance.now();
    queue.spend(orgId, now - began, now);
    idle.push(reader);
    runNext();
  }

  function runNext(): void {
    clearTimeout(resting);
    const reader = idle.pop();
    if (!reader) return;
    const now = performance.now();
    const step = queue.take(now);
    if (step) {
      void run(reader, step);
      return;
    }
    idle.push(reader);
    const restMs = queue.waitMs(now);
    if (restMs < Number.POSITIVE_INFINITY) resting = setTimeout(runNext, restMs);
  }

  return (orgId) => {
    const all: Reader = (queries) =>
      new Promise((resolve, reject) => {
        queue.add(orgId, { orgId, queries, resolve, reject });
        runNext();
      });
    return { all, one: async (sql, ...values) => (await all([{ sql, values }]))[0] ?? [] };
  };
}

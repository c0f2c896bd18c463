/** The writer thread: commits all jobs that have arrived as one batch with one fsync, and returns the result of each. */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { changeApplier, type WriterJob, type Written } from './apply-change.ts';
import { Checkpoints } from './checkpoints.ts';
import { claimWriter } from './claim-timers.ts';
import { openDatabase } from './open-database.ts';
import { type Failure, failureOf } from './thread-failure.ts';

export type ToWriter = { batch: WriterJob[] } | { close: true };
export type FromWriter = { results: WriteResult[] } | { closed: true } | { ready: true };
export type WriteResult = Written | Failure;

export interface WriterOptions {
  path: string;
  /** Largest size of the file, in pages of 4 KB. A write beyond it is refused as on a full disk. */
  maxPages?: number;
}

/** Bounds the time of a batch, and so the wait of the next one. */
const maxBatch = 1_000;

if (parentPort) serve(parentPort, workerData);

function serve(port: NonNullable<typeof parentPort>, { path, maxPages }: WriterOptions): void {
  const db = openDatabase(path);
  // The cache holds the changes of a transaction until it commits.
  db.exec('PRAGMA cache_size = -16384');
  if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
  const work = jobDoer(db);
  const checkpoints = new Checkpoints(db, path);
  port.on('message', (first: ToWriter) => {
    const batch: WriterJob[] = [];
    let message: ToWriter | undefined = first;
    // Messages that came during the last commit are taken at once. Waiting for the main thread would cost a turn.
    for (; message && 'batch' in message; message = next(batch)) batch.push(...message.batch);
    if (batch.length > 0) {
      port.postMessage({ results: commitBatch(db, work, batch) } satisfies FromWriter);
      checkpoints.committed(batch);
    }
    if (message) void close();
  });
  const next = ({ length }: readonly WriterJob[]): ToWriter | undefined =>
    length < maxBatch ? receiveMessageOnPort(port)?.message : undefined;
  const close = async () => {
    await checkpoints.close();
    db.close();
    port.postMessage({ closed: true } satisfies FromWriter);
  };
  port.postMessage({ ready: true } satisfies FromWriter);
}

function jobDoer(db: DatabaseSync): (job: WriterJob) => Written {
  const apply = changeApplier(db);
  const claims = claimWriter(db);
  const setProbe = db.prepare(
    `INSERT INTO meta (key, value) VALUES ('probe', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  return (job) => {
    if ('orgId' in job) return apply(job);
    if ('probe' in job) setProbe.run(job.probe);
    const held = 'claim' in job ? claims.claim(job) : 'move' in job ? claims.move(job) : [];
    return { ok: true, position: 0, seq: 0, claims: held };
  };
}

export function commitBatch(db: DatabaseSync, work: (job: WriterJob) => Written, batch: WriterJob[]): WriteResult[] {
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    // Another process has locked the file for too long. No change is the cause, and each half would wait again.
    return batch.map(() => failureOf(error));
  }
  try {
    const results = batch.map(work);
    db.exec('COMMIT');
    return results;
  } catch (error) {
    try {
      db.exec('ROLLBACK');
    } catch {
      // SQLite may have rolled back itself because the disk is full. Node 22.13 cannot report whether it has.
    }
    if (batch.length === 1) return [failureOf(error)];
    // One change that cannot be written must not fail its batch. Halving finds it among 1,000 in 20 transactions.
    const half = Math.ceil(batch.length / 2);
    return [batch.slice(0, half), batch.slice(half)].flatMap((part) => commitBatch(db, work, part));
  }
}

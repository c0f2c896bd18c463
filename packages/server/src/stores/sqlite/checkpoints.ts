/**
 * Decides when the log is copied into the database. A checkpoint of 64 MB on the writer's thread delayed every commit by a
 * quarter of a second at a million rows. So another thread copies, and the writer only finishes the small rest.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import type { WriterJob } from './apply-change.ts';
import { startThread } from './open-database.ts';

/** About 64 MB. The pages of the log are estimated from the changes. */
const pagesBetween = 16_000;
function pagesOf(job: WriterJob): number {
  if (!('orgId' in job)) return 4;
  const { log, newDeliveries = [], changedDeliveries = [] } = job;
  const ofEvents = log?.events.reduce((sum, { data }) => sum + (2 * data.length) / 4_096, 0) ?? 0;
  return 4 + ofEvents + (newDeliveries.length + changedDeliveries.length) / 4;
}
/** Each pass copies the commits made during the one before, and so takes a fraction of its time. */
const passes = 3;

export class Checkpoints {
  readonly #db: DatabaseSync;
  readonly #path: string;
  /** Started when it is first needed, so that a server with few changes has no third thread. */
  #helper: Worker | undefined;
  #pages = 0;
  #passesLeft = 0;

  constructor(db: DatabaseSync, path: string) {
    this.#db = db;
    this.#path = path;
    // The automatic checkpoint of SQLite would run on the writer's thread.
    db.exec('PRAGMA wal_autocheckpoint = 0');
  }

  committed(batch: readonly WriterJob[]): void {
    for (const job of batch) this.#pages += pagesOf(job);
    if (this.#passesLeft > 0 || this.#pages < pagesBetween) return;
    this.#passesLeft = passes;
    this.#helper ??= this.#startHelper();
    this.#helper.postMessage('go');
  }

  async close(): Promise<void> {
    await this.#helper?.terminate();
  }

  #startHelper(): Worker {
    const helper = startThread('checkpointer', { path: this.#path });
    helper.on('message', () => {
      this.#passesLeft--;
      if (this.#passesLeft > 0) helper.postMessage('go');
      else this.#finish();
    });
    helper.on('error', () => {
      this.#helper = undefined;
      this.#finish();
    });
    return helper;
  }

  /** Copies the rest and restarts the log, so that it does not grow forever. */
  #finish(): void {
    this.#passesLeft = 0;
    this.#pages = 0;
    try {
      this.#db.exec('PRAGMA wal_checkpoint(RESTART)');
    } catch {
      // The disk is full or missing. The log keeps everything, and the next round tries again.
    }
  }
}

/** The reader thread. It runs one query after the other, so that a long one delays neither the main thread nor the writer. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Query, Row } from '../sql/select.ts';
import { openDatabase } from './open-database.ts';
import { selectFrom } from './select-from.ts';
import { type Failure, failureOf } from './thread-failure.ts';

export type ToReader = readonly Query[];
export type FromReader = { rows: Row[][] } | Failure;

if (parentPort) serve(parentPort, workerData);

function serve(port: NonNullable<typeof parentPort>, { path }: { path: string }): void {
  const db = openDatabase(path);
  db.exec('PRAGMA query_only = ON');
  const select = selectFrom(db);
  port.on('message', (message: ToReader | 'close') => {
    if (message === 'close') {
      db.close();
      port.close();
    } else port.postMessage(run(message));
  });
  function run(queries: ToReader): FromReader {
    try {
      return { rows: queries.map(({ sql, values }) => select(sql, ...values)) };
    } catch (error) {
      return failureOf(error);
    }
  }
}

/** Checks whether the database accepts writes now. */
import { storageError } from '../storage-error.ts';
import type { Connection } from './connection.ts';
import { isLockTimeout } from './database-error.ts';

/** Every table that a change may write. */
const tables = [
  ...['meta', 'orgs', 'api_keys', 'threads', 'interactions', 'assigned', 'messages', 'events', 'grants', 'secrets'],
  ...['idempotency', 'timers', 'documents', 'deliveries', 'runs', 'journal'],
];

const takesWrites = { name: 'check', text: `SELECT current_setting('transaction_read_only') = 'off' AS takes_writes` };
/** Fails if another session has locked a whole table. Two statements in one message form a transaction. */
const lockTables = { text: `LOCK TABLE ${tables.join(', ')} IN ROW EXCLUSIVE MODE; SELECT true` };

export async function checkWritable(connection: Connection): Promise<void> {
  const [row] = await connection.query(takesWrites);
  if (!row?.takes_writes) {
    connection.renew();
    throw storageError('the database takes no writes at present');
  }
  try {
    await connection.query(lockTables);
  } catch (error) {
    throw isLockTimeout(error) ? storageError('another session of the database has locked a table', error) : error;
  }
}

/** As large as an ordinary change. */
const probe = ' '.repeat(32_768);

export async function probeWrite(connection: Connection): Promise<void> {
  await connection.query({
    text: `INSERT INTO meta (key, value) VALUES ('probe', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    values: [probe],
  });
}

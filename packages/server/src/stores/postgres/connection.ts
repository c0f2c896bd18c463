/** One connection that carries many queries at once, and is made anew by the next query after it was lost. */
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { storageError } from '../storage-error.ts';
import { isReadOnly } from './database-error.ts';

/** A database that does not answer for this long is as good as gone. */
const connectMs = 3_000;
const answerMs = 15_000;

export interface ConnectionOptions {
  url: string;
  /** Nobody waits for its answers, so they may take as long as they need. */
  isPatient?: boolean;
  /** Longest wait of a statement for each lock. Defaults to the longest wait for a response. */
  lockMs?: number;
  /** The database ends a statement that takes longer. */
  statementMs?: number;
  /** What it commits need not be on disk when that is acknowledged. */
  mayLose?: boolean;
  /** Called with every new connection before it is used. */
  onOpen?(client: pg.Client): void;
}

/**
 * Every statement finds its rows by an index. Without this the planner, which at first knows of an empty table only,
 * would read a table that has grown since from end to end.
 */
const onlyIndexes = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].map((way) => `SET enable_${way} = off`);

/** A plan made for small tables is not kept for ever: after this time the next query has a new one made. */
const planMs = 10_000;

/** A server set to acknowledge commits that are not on disk yet is asked for durable ones; a stricter setting stays. */
const durable = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

const session = [
  ...onlyIndexes,
  'SET plan_cache_mode = force_generic_plan',
  `SET default_transaction_isolation = 'read committed'`,
  `SET idle_in_transaction_session_timeout = '10s'`,
];
const sessionOf = ({ mayLose, lockMs }: ConnectionOptions): string =>
  [
    ...session,
    ...(lockMs === undefined ? [] : [`SET lock_timeout = ${lockMs}`]),
    mayLose ? 'SET synchronous_commit = off' : durable,
  ].join('; ');

export class Connection {
  readonly #options: ConnectionOptions;
  #client: Promise<pg.Client> | undefined;
  #plannedAt = 0;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The connection as it is now, or a new one. What is sent to it in one turn of the event loop arrives in a row. */
  async open(): Promise<pg.Client> {
    if (this.#isClosed) throw storageError('the store is closed');
    this.#client ??= this.#connect();
    const client = await this.#client;
    if (performance.now() > this.#plannedAt + planMs) {
      this.#plannedAt = performance.now();
      client.query('DISCARD PLANS').catch(() => {});
    }
    return client;
  }

  /** It goes out together with what else is asked in this turn of the event loop, unless it stands for many already. */
  async query(query: pg.QueryConfig, isForMany = false): Promise<Record<string, unknown>[]> {
    const client = await this.open();
    if (!isForMany) sendTogether(client);
    try {
      return (await client.query(query)).rows;
    } catch (error) {
      this.mayBeStale(error);
      throw error;
    }
  }

  /** A session that began while the database took no writes takes none for ever; the next one may. */
  mayBeStale(error: unknown): void {
    if (isReadOnly(error)) this.renew();
  }

  /** Has the next query make a new connection; what was sent over this one is still answered. */
  renew(): void {
    const client = this.#client;
    this.#client = undefined;
    void client?.then((old) => old.end()).catch(() => {});
  }

  /** Waits for what was sent, then hangs up. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const client = await this.#client?.catch(() => undefined);
    await client?.end();
  }

  #connect(): Promise<pg.Client> {
    const { url, isPatient, statementMs = answerMs, onOpen } = this.#options;
    const client = new pg.Client({
      connectionString: url,
      application_name: 'holdpoint',
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
      ...(isPatient ? {} : { query_timeout: answerMs, statement_timeout: statementMs }),
    });
    const lost = () => {
      if (this.#client === opening) this.#client = undefined;
    };
    client.on('error', lost).on('end', lost);
    const opening = client.connect().then(async () => {
      await client.query(sessionOf(this.#options));
      onOpen?.(client);
      return client;
    });
    opening.catch(() => {
      lost();
      void client.end().catch(() => {});
    });
    return opening;
  }
}

/** Queries sent in one write: a system call for each costs more than the query. */
export function sendAtOnce<T>(client: pg.Client, send: (client: pg.Client) => T): T {
  const stream = streamOf(client);
  stream.cork();
  try {
    return send(client);
  } finally {
    stream.uncork();
  }
}

/** Whatever is asked in this turn of the event loop goes out in one write, at its end. */
function sendTogether(client: pg.Client): void {
  const stream = streamOf(client);
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}

const streamOf = (client: pg.Client): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

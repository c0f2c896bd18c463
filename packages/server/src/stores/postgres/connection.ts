/** One connection for many queries at a time. If it is lost, the next query opens a new one. */
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { storageError } from '../storage-error.ts';
import { isReadOnly } from './database-error.ts';

/** A database that does not respond for this long counts as unavailable. */
const connectMs = 3_000;
const answerMs = 15_000;

export interface ConnectionOptions {
  url: string;
  /** Sets no limit on the time of a response, for work that no caller waits for. */
  isPatient?: boolean;
  /** Longest wait of a statement for each lock. Defaults to the longest wait for a response. */
  lockMs?: number;
  /** The database ends a statement that takes longer. */
  statementMs?: number;
  /** Acknowledges commits before they are on disk. */
  mayLose?: boolean;
  /** Called with every new connection before it is used. */
  onOpen?(client: pg.Client): void;
}

/** After this time the next query asks for new plans, because the tables may have grown. */
const planMs = 10_000;

/** Asks for durable commits if the database is set to acknowledge commits before they are on disk. Keeps a stricter setting. */
const durable = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`;

/**
 * The planner first sees empty tables. Without `enable_seqscan` off it would plan to read whole tables, and use these plans
 * after they have grown: a create took 132 ms in place of 3. Without `enable_bitmapscan` off a read of a page would first
 * collect every row that matches. Without `plan_cache_mode` it plans a claim of timers at every call, which then takes
 * three times as long. Numbers and command: decision 0014.
 */
const plannerSettings = ['enable_seqscan = off', 'enable_bitmapscan = off', 'plan_cache_mode = force_generic_plan'];

const sessionOf = ({ mayLose, lockMs }: ConnectionOptions): string =>
  [
    ...plannerSettings.map((setting) => `SET ${setting}`),
    `SET default_transaction_isolation = 'read committed'`,
    `SET idle_in_transaction_session_timeout = '10s'`,
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

  /** Returns the current client, or a new one. Queries of one turn of the event loop arrive in a row. */
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

  /** Sends the query together with the others of this turn of the event loop, unless it already combines many reads. */
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

  /** Replaces a session that began while the database was read-only, because it stays read-only. */
  mayBeStale(error: unknown): void {
    if (isReadOnly(error)) this.renew();
  }

  /** Lets the next query open a new connection. Queries under way are still answered. */
  renew(): void {
    const client = this.#client;
    this.#client = undefined;
    void client?.then((old) => old.end()).catch(() => {});
  }

  /** Waits for the queries under way, then disconnects. */
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
      sockets.set(client, await openSession(client, sessionOf(this.#options)));
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

/** The socket of every open client. */
const sockets = new WeakMap<pg.Client, Duplex>();

/**
 * Runs the first query of a client and returns its socket. `pg` passes its connection to a query that it sends, and has no
 * other public way to the socket (decision 0014).
 */
function openSession(client: pg.Client, text: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    let socket: Duplex;
    const query = new pg.Query(text, (error) => (error ? reject(error) : resolve(socket)));
    const { submit } = query;
    query.submit = (connection) => {
      socket = connection.stream;
      return submit.call(query, connection);
    };
    client.query(query);
  });
}

/** Sends queries in one write, because a system call for each costs more than the query. */
export function sendAtOnce<T>(client: pg.Client, send: (client: pg.Client) => T): T {
  const socket = sockets.get(client);
  socket?.cork();
  try {
    return send(client);
  } finally {
    socket?.uncork();
  }
}

/** Sends all queries of this turn of the event loop in one write, at its end. */
function sendTogether(client: pg.Client): void {
  const socket = sockets.get(client);
  if (!socket || socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

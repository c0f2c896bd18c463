/**
 * Notifications between nodes. A notification inside a commit would make all commits wait for each other, so one is sent
 * by itself after several commits. A lost one costs a delay, because every node also polls. Ephemeral events use a
 * channel of their own, each as one notification, which also comes back to the sender.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client, QueryConfig } from 'pg';
import { maxPublishedBytes, type PublishedEvent } from '../store.ts';
import { Connection } from './connection.ts';
import { textArray } from './text-array.ts';
import { Throttle } from './throttle.ts';

const channel = 'holdpoint_log';
const ephemeralChannel = 'holdpoint_ephemeral';
const notifyEveryMs = 5;
/** A listening connection is silent, so only a query shows that it was lost. */
const askMs = 500;
/** Ephemeral events in one statement. */
const batchSize = 256;
/** More events wait only if the database accepts none. Later ones are dropped. */
const maxWaiting = 4_096;

const notifyAll = {
  name: 'notify',
  text: `SELECT pg_notify('${ephemeralChannel}', payload) FROM unnest($1::text[]) AS event(payload)`,
};

export interface NotificationOptions {
  url: string;
  /** Called after commits of other nodes. */
  onWakeUp(): void;
  /** Also called with the events of this node. */
  onPublished(event: PublishedEvent): void;
}

export class Notifications {
  readonly #options: NotificationOptions;
  readonly #connection: Connection;
  readonly #notifier: Throttle;
  readonly #timer: NodeJS.Timeout;
  #waiting: string[] = [];
  #sending: Promise<void> | undefined;
  #count = 0;

  constructor(options: NotificationOptions) {
    this.#options = options;
    this.#connection = new Connection({ url: options.url, onOpen: (client) => this.#listen(client) });
    this.#notifier = new Throttle(notifyEveryMs, () => this.#query({ text: `NOTIFY ${channel}` }));
    this.#timer = setInterval(() => void this.#query({ text: 'SELECT 1' }), askMs);
    void this.#query({ text: 'SELECT 1' });
  }

  /** Notifies the other nodes of a commit. */
  notify(): void {
    this.#notifier.ask();
  }

  /**
   * Publishes an ephemeral event to all nodes. Events that are published during a statement are sent by the next one, so a
   * busy node notifies no more often than the database accepts.
   */
  publish(event: PublishedEvent): void {
    // PostgreSQL delivers only the first of equal notifications in a transaction, so each gets a number.
    const payload = JSON.stringify({ ...event, number: this.#count++ } satisfies Payload);
    if (Buffer.byteLength(payload) > maxPayloadBytes || this.#waiting.length >= maxWaiting) return;
    this.#waiting.push(payload);
    this.#sending ??= this.#sendAll();
  }

  /** Sends all waiting events first. */
  async close(): Promise<void> {
    await this.#sending;
    clearInterval(this.#timer);
    await this.#notifier.finish();
    await this.#connection.close();
  }

  #listen(client: Client): void {
    const { onWakeUp, onPublished } = this.#options;
    const ignore = () => {};
    let ownId: number | undefined;
    client.query('SELECT pg_backend_pid() AS id').then(({ rows }) => {
      ownId = rows[0]?.id;
    }, ignore);
    client.on('notification', ({ channel: of, processId, payload = '' }) => {
      const event = of === ephemeralChannel ? readPublished(payload) : undefined;
      if (event) onPublished(event);
      // This node already knows of its own commits.
      else if (of === channel && processId !== ownId) onWakeUp();
    });
    // Notifications that were sent before this connection listened are lost.
    client.query(`LISTEN ${channel}; LISTEN ${ephemeralChannel}`).then(onWakeUp, ignore);
  }

  async #sendAll(): Promise<void> {
    // Collects the events of one turn of the event loop.
    await nextTurn();
    while (this.#waiting.length > 0)
      await this.#query({ ...notifyAll, values: [textArray(this.#waiting.splice(0, batchSize))] });
    this.#sending = undefined;
  }

  async #query(query: QueryConfig): Promise<void> {
    await this.#connection.query(query).catch(() => {});
  }
}

type Payload = PublishedEvent & { number: number };

const maxPayloadBytes = maxPublishedBytes + Buffer.byteLength(`,"number":${Number.MAX_SAFE_INTEGER}`);

/** Returns undefined for a payload that no node of this version would send. */
function readPublished(payload: string): PublishedEvent | undefined {
  try {
    const { number, ...event } = JSON.parse(payload) as Payload;
    return number === undefined ? undefined : event;
  } catch {
    return undefined;
  }
}

/**
 * Notifications between nodes. A notification inside a commit would make all commits wait for each other, so one is sent
 * by itself after several commits. A lost one costs a delay, because every node also polls. Ephemeral events use a
 * channel of their own.
 */
import type { Client, QueryConfig } from 'pg';
import { Connection } from './connection.ts';
import { textArray } from './text-array.ts';
import { Throttle } from './throttle.ts';

const channel = 'holdpoint_log';
const ephemeralChannel = 'holdpoint_told';
const notifyEveryMs = 5;
/** A listening connection is silent, so only a query shows that it was lost. */
const askMs = 500;

const notifyAll = {
  name: 'notify',
  text: `SELECT pg_notify('${ephemeralChannel}', payload) FROM unnest($1::text[]) AS event(payload)`,
};

export interface WakeUpOptions {
  url: string;
  onWakeUp(): void;
  /** Also called with the events of this node. */
  onPublished(payload: string): void;
}

export class WakeUps {
  readonly #connection: Connection;
  readonly #notifier: Throttle;
  readonly #timer: NodeJS.Timeout;

  constructor({ url, onWakeUp, onPublished }: WakeUpOptions) {
    const onOpen = (client: Client) => {
      let ownId: number | undefined;
      client.query('SELECT pg_backend_pid() AS id').then(
        ({ rows }) => {
          ownId = rows[0]?.id;
        },
        () => {},
      );
      client.on('notification', ({ channel: of, processId, payload = '' }) => {
        if (of === ephemeralChannel) onPublished(payload);
        // This node already knows of its own commits.
        else if (processId !== ownId) onWakeUp();
      });
      client.query(`LISTEN ${channel}; LISTEN ${ephemeralChannel}`).then(
        // Notifications that were sent before this connection listened are lost.
        () => onWakeUp(),
        () => {},
      );
    };
    this.#connection = new Connection({ url, onOpen });
    this.#notifier = new Throttle(notifyEveryMs, () => this.#query({ text: `NOTIFY ${channel}` }));
    this.#timer = setInterval(() => void this.#query({ text: 'SELECT 1' }), askMs);
    void this.#query({ text: 'SELECT 1' });
  }

  /** Notifies the other nodes of a commit. */
  notify(): void {
    this.#notifier.ask();
  }

  /** Sends payloads to every node, in this order. */
  send(payloads: readonly string[]): Promise<void> {
    return this.#query({ ...notifyAll, values: [textArray(payloads)] });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#notifier.finish();
    await this.#connection.close();
  }

  #query(query: QueryConfig): Promise<void> {
    return this.#connection.query(query).then(
      () => {},
      () => {},
    );
  }
}

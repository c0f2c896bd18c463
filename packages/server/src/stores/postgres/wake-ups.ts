/**
 * Wake-ups between nodes. A notification inside a commit would make all commits wait for each other, so one is sent
 * after some of them, by itself. A lost one costs a delay: every node also looks by itself from time to time. What is
 * told and kept nowhere goes the same way, on a channel of its own.
 */
import type { Client, QueryConfig } from 'pg';
import { Connection } from './connection.ts';
import { Pacer } from './pacer.ts';
import { textArray } from './text-array.ts';

const channel = 'holdpoint_log';
const toldChannel = 'holdpoint_told';
const notifyEveryMs = 5;
/** A listener says nothing by itself, so only asking shows that the other side is gone. */
const askMs = 500;

const notifyAll = {
  name: 'tell',
  text: `SELECT pg_notify('${toldChannel}', payload) FROM unnest($1::text[]) AS told(payload)`,
};

export interface WakeUpOptions {
  url: string;
  onWakeUp(): void;
  /** Also with what this node has told. */
  onTold(payload: string): void;
}

export class WakeUps {
  readonly #connection: Connection;
  readonly #notifier: Pacer;
  readonly #timer: NodeJS.Timeout;

  constructor({ url, onWakeUp, onTold }: WakeUpOptions) {
    const onOpen = (client: Client) => {
      const { processID } = client as unknown as { processID: number };
      client.on('notification', ({ channel: of, processId, payload = '' }) => {
        if (of === toldChannel) onTold(payload);
        // Our own are heard as well; what they tell is known here.
        else if (processId !== processID) onWakeUp();
      });
      client.query(`LISTEN ${channel}; LISTEN ${toldChannel}`).then(
        // What was notified while nobody listened.
        () => onWakeUp(),
        () => {},
      );
    };
    this.#connection = new Connection({ url, onOpen });
    this.#notifier = new Pacer(notifyEveryMs, () => this.#query({ text: `NOTIFY ${channel}` }));
    this.#timer = setInterval(() => void this.#query({ text: 'SELECT 1' }), askMs);
    void this.#query({ text: 'SELECT 1' });
  }

  /** Tells the other nodes that something was committed. */
  tell(): void {
    this.#notifier.ask();
  }

  /** Passes these on to every node, in this order. */
  passOn(payloads: readonly string[]): Promise<void> {
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

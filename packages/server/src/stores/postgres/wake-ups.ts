/**
 * Wake-ups between nodes. A notification inside a commit would make all commits wait for each other, so one is sent
 * after some of them, by itself. A lost one costs a delay: every node also looks by itself from time to time.
 */
import type { Client } from 'pg';
import { Connection } from './connection.ts';
import { Pacer } from './pacer.ts';

const channel = 'holdpoint_log';
const notifyEveryMs = 5;
/** A listener says nothing by itself, so only asking shows that the other side is gone. */
const askMs = 500;

export class WakeUps {
  readonly #connection: Connection;
  readonly #notifier: Pacer;
  readonly #timer: NodeJS.Timeout;

  constructor(url: string, onWakeUp: () => void) {
    const onOpen = (client: Client) => {
      const { processID } = client as unknown as { processID: number };
      client.on('notification', ({ processId }) => {
        // Our own are heard as well; what they tell is known here.
        if (processId !== processID) onWakeUp();
      });
      client.query(`LISTEN ${channel}`).then(
        // What was notified while nobody listened.
        () => onWakeUp(),
        () => {},
      );
    };
    this.#connection = new Connection({ url, onOpen });
    this.#notifier = new Pacer(notifyEveryMs, () => this.#query(`NOTIFY ${channel}`));
    this.#timer = setInterval(() => void this.#query('SELECT 1'), askMs);
    void this.#query('SELECT 1');
  }

  /** Tells the other nodes that something was committed. */
  tell(): void {
    this.#notifier.ask();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#notifier.finish();
    await this.#connection.close();
  }

  #query(text: string): Promise<void> {
    return this.#connection.query({ text }).then(
      () => {},
      () => {},
    );
  }
}

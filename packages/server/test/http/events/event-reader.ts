/** Follows an event stream: what it sends is kept until it is asked for. */
import type { LogEvent } from '@holdpoint/protocol';
import type { Client } from '../../client.ts';

export class EventReader {
  readonly response: Response;
  readonly comments: string[] = [];
  /** What the next connection sends as Last-Event-ID. */
  lastId = '';
  /** Resolves when the stream has ended, on either side. */
  readonly ended: Promise<void>;
  readonly #events: LogEvent[] = [];
  readonly #abort: AbortController;
  #isOver = false;
  #wake: (() => void) | undefined;

  static async open(client: Client, path = '/v1/events', headers: Record<string, string> = {}): Promise<EventReader> {
    const abort = new AbortController();
    const response = await fetch(client.url + path, {
      headers: { ...(client.token === undefined ? {} : { authorization: `Bearer ${client.token}` }), ...headers },
      signal: abort.signal,
    });
    if (response.status !== 200) throw new Error(`GET ${path} → ${response.status} ${await response.text()}`);
    return new EventReader(response, abort);
  }

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.ended = this.#read();
  }

  /** The next n events, as they come; throws where the stream ends before. */
  async take(n: number): Promise<LogEvent[]> {
    while (this.#events.length < n) {
      if (this.#isOver) throw new Error(`the stream ended after ${this.#events.length} of ${n} events`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#events.splice(0, n);
  }

  /** What has come and was not taken. */
  get left(): readonly LogEvent[] {
    return this.#events;
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.ended;
  }

  async #read(): Promise<void> {
    let text = '';
    try {
      for await (const chunk of this.response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const frames = (text + chunk).split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) this.#take(frame);
        this.#wake?.();
      }
    } catch {
      // Cut off: what did not come whole does not count.
    }
    this.#isOver = true;
    this.#wake?.();
  }

  #take(frame: string): void {
    for (const line of frame.split('\n')) {
      if (line.startsWith(':')) this.comments.push(line);
      if (line.startsWith('id: ')) this.lastId = line.slice('id: '.length);
      if (line.startsWith('data: ')) this.#events.push(JSON.parse(line.slice('data: '.length)) as LogEvent);
    }
  }
}

/** The server under test, an admin key, and a key of another org. */
import { setTimeout as pause } from 'node:timers/promises';

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the cases check what a server answers.
  body: any;
}

export interface CallOptions {
  method?: string;
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
}

export class World {
  readonly url: string;
  readonly key: string;
  readonly fetch: Fetch;
  #stranger: Promise<string> | undefined;

  constructor({ url, key, fetch: given = fetch }: { url: string; key: string; fetch?: Fetch }) {
    this.url = url.replace(/\/+$/, '');
    this.key = key;
    this.fetch = given;
  }

  async call(path: string, { method, body, key = this.key, headers = {} }: CallOptions = {}): Promise<Reply> {
    const response = await this.fetch(this.url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse(text) };
  }

  get(path: string, options: CallOptions = {}): Promise<Reply> {
    return this.call(path, { ...options, method: 'GET' });
  }

  post(path: string, body: unknown = {}, options: CallOptions = {}): Promise<Reply> {
    return this.call(path, { ...options, method: 'POST', body });
  }

  patch(path: string, body: unknown): Promise<Reply> {
    return this.call(path, { method: 'PATCH', body });
  }

  /** Makes a call that must succeed, and returns its result. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  async made(path: string, body: unknown = {}, options: CallOptions = {}): Promise<any> {
    const reply = await this.post(path, body, options);
    if (reply.status >= 300) throw new Error(`POST ${path} → ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async newThread(): Promise<string> {
    return (await this.made('/v1/threads')).id;
  }

  /** The admin key of another org, which the first call creates. */
  stranger(): Promise<string> {
    this.#stranger ??= this.made('/v1/orgs', { id: `conformance-${crypto.randomUUID()}` }).then(
      ({ adminKey }) => adminKey.secret,
    );
    return this.#stranger;
  }

  /** Collects the data of server-sent events until `isEnough`. Meanwhile, `meanwhile` causes the events. */
  async events(
    path: string,
    isEnough: (events: readonly unknown[]) => boolean,
    meanwhile: (until: (isSeen: (events: readonly unknown[]) => boolean) => Promise<void>) => Promise<unknown>,
  ) {
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${this.key}`, accept: 'text/event-stream' };
    const response = await this.fetch(this.url + path, { headers, signal: abort.signal });
    if (response.status !== 200) throw new Error(`GET ${path} → ${response.status} ${await response.text()}`);
    const events: unknown[] = [];
    const reading = readEvents(response, (event) => {
      events.push(event);
      return isEnough(events);
    }).catch(() => {});
    try {
      await meanwhile(async (isSeen) => {
        for (let tries = 0; !isSeen(events) && tries < 1_000; tries++) await pause(10);
      });
      await Promise.race([reading, pause(10_000, undefined, { ref: false })]);
    } finally {
      abort.abort();
      await response.body?.cancel().catch(() => {});
    }
    if (!isEnough(events)) throw new Error(`not all events came within 10 s: ${JSON.stringify(events)}`);
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    return events as any[];
  }
}

async function readEvents(response: Response, isLast: (event: unknown) => boolean): Promise<void> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = (text + chunk).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = frame.split('\n').find((line) => line.startsWith('data: '));
      if (data && isLast(JSON.parse(data.slice('data: '.length)))) return;
    }
  }
}

function parse(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

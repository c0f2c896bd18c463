/** The calls of the blocks dialect: the only ones that take the token of a visitor's session. */
import type { Block, FileRef, JsonSchema } from '@holdpoint/protocol';
import { Api } from '../connection/api.ts';
import type { SentFile } from '../connection/send-file.ts';

export interface OpenedSession {
  sessionToken: string;
  conversationId: string;
  expiresAt: string;
  widget: Record<string, unknown>;
  quickQuestions: string[];
}

export type ShownBlock = Block & { id: string };

export interface Reply {
  executionId: string;
  conversationId: string;
  status: 'running' | 'waiting_input' | 'waiting_time' | 'completed' | 'failed' | 'aborted';
  blocks: ShownBlock[];
  expectedInput: { schema: JsonSchema } | null;
  waitToken: string | null;
  waitExpiresAt: string | null;
}

interface History {
  executionId: string | null;
  messages: { id: string; role: 'user' | 'agent' | 'system'; createdAt: string; blocks: ShownBlock[] }[];
}

/** Answered at once: the page polls, so that what was said is shown without waiting for the end of the turn. */
const atOnce = '?waitMs=0';

export class BlocksCalls {
  token = '';
  readonly #api: Api;

  constructor(server: string) {
    this.#api = new Api({ server: `${server}/api/public/v1/chat`, token: async () => this.token });
  }

  open(person: object): Promise<OpenedSession> {
    return this.#api.call('POST', '/sessions', person);
  }

  readHistory(): Promise<History> {
    return this.#api.call('GET', '/messages?limit=200');
  }

  async getReply(executionId: string): Promise<Reply> {
    return (await this.#api.call<{ reply: Reply }>('GET', `/executions/${encodeURIComponent(executionId)}`)).reply;
  }

  /** The same key for every try, so that a message or an answer whose response was lost is not taken twice. */
  async send(said: object, key: string): Promise<Reply> {
    return (await this.#api.call<{ reply: Reply }>('POST', `/messages${atOnce}`, said, undefined, key)).reply;
  }

  upload(executionId: string, { field, ...sent }: SentFile): Promise<FileRef> {
    return this.#api.sendFile(`/uploads?${new URLSearchParams({ executionId, field })}`, sent);
  }

  /** Also while the page is being left. Nobody waits for it, and nothing depends on it. */
  record(name: string, props: object): void {
    const event = { name, props, timestamp: Date.now() };
    void this.#api.call('POST', '/events', event, undefined, undefined, true).catch(() => {});
  }
}

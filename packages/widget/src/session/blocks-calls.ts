/** Calls the blocks dialect. No other API accepts the token of a visitor's session. */
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

/** The id of a block is the id of its message, a colon and a number. */
export const messageOf = ({ id }: ShownBlock): string => id.slice(0, id.lastIndexOf(':'));

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

/** The page polls, so that it shows each message without waiting for the end of the turn. */
const atOnce = '?waitMs=0';

export class BlocksCalls {
  token = '';
  readonly #api: Api;

  constructor(server: string) {
    this.#api = new Api({ server: `${server}/api/public/v1/chat`, token: async () => this.token });
  }

  /** The id of the visitor. `readClaims` would do, but it is in the script of forms, which is not fetched without a question. */
  get subject(): string {
    const claims = atob(this.token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? '');
    const bytes = Uint8Array.from(claims, (letter) => letter.charCodeAt(0));
    return (JSON.parse(new TextDecoder().decode(bytes)) as { sub: string }).sub;
  }

  open(visitor: object): Promise<OpenedSession> {
    return this.#api.call('POST', '/sessions', visitor);
  }

  readHistory(): Promise<History> {
    return this.#api.call('GET', '/messages?limit=200');
  }

  async getReply(executionId: string): Promise<Reply> {
    return (await this.#api.call<{ reply: Reply }>('GET', `/executions/${encodeURIComponent(executionId)}`)).reply;
  }

  /** Use the same key for every try. Then a message or an answer whose response was lost is not accepted twice. */
  async send(input: object, key: string): Promise<Reply> {
    return (await this.#api.call<{ reply: Reply }>('POST', `/messages${atOnce}`, input, { key })).reply;
  }

  upload(executionId: string, { field, ...sent }: SentFile): Promise<FileRef> {
    return this.#api.sendFile(`/uploads?${new URLSearchParams({ executionId, field })}`, sent);
  }

  /** Also works while the page is closing. Failures are ignored. */
  record(name: string, props: object): void {
    const event = { name, props, timestamp: Date.now() };
    void this.#api.call('POST', '/events', event, { keepalive: true }).catch(() => {});
  }
}

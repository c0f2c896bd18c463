/** The call `say` with a generator that yields the text. After a crash in the middle the message is cancelled and begun again. */
import { defined, HoldpointError, type HoldpointService, type Message } from '@holdpoint/protocol';
import { asJson } from '../engine/as-json.ts';
import type { CallKind, LiveCall } from '../engine/call.ts';
import { reach } from '../engine/errors.ts';
import type { Place } from './messages.ts';

/** Text that arrives within this time is sent as one piece. */
const gatherMs = 30;

/** The server cancels a message after a minute without a piece. If it was cancelled earlier, somebody did not want it. */
const driesUpAfterMs = 50_000;

/** The note: the message, and once all its text is sent, the result of the generator. */
interface Begun {
  messageId: string;
  isWhole?: boolean;
  value?: unknown;
}

export function stream<T>({ service, threadId }: Place, pieces: () => AsyncGenerator<string, T>): CallKind<T> {
  const settled = (value: T) => ({ data: value === undefined ? {} : { value }, value });
  return {
    type: 'say',
    name: 'streamed',
    async play(call) {
      await call.ready();
      const earlier = call.notes.at(-1) as Begun | undefined;
      if (earlier?.isWhole && (await complete(service, earlier.messageId))) return settled(earlier.value as T);
      if (earlier) await breakOff(service, earlier.messageId);
      const message = new StreamedMessage(service, threadId, call);
      const generator = pieces();
      try {
        const value = asJson(await message.sayAll(generator), 'The generator');
        await message.complete(value);
        return settled(value);
      } catch (error) {
        await generator.return(undefined as T).catch(() => {});
        await message.breakOff();
        throw error;
      }
    },
    recall: (data) => (data as { value?: T }).value as T,
  };
}

class StreamedMessage {
  readonly #service: HoldpointService;
  readonly #threadId: string;
  readonly #call: LiveCall;
  #messageId: string | undefined;
  /** All text so far, and the part that was not sent. */
  #text = '';
  #unsent = '';
  #sentAt = 0;
  /** Number of messages in which it was begun. */
  #begun = 0;
  #sending: Promise<void> | undefined;
  #fault: unknown;
  /** Ends the pause between two pieces. */
  #hurry = () => {};
  #isSaid = false;

  constructor(service: HoldpointService, threadId: string, call: LiveCall) {
    this.#service = service;
    this.#threadId = threadId;
    this.#call = call;
  }

  async sayAll<T>(generator: AsyncGenerator<string, T>): Promise<T> {
    while (true) {
      const { done, value } = await generator.next();
      if (this.#fault) throw this.#fault;
      if (done) return value;
      this.#text += value;
      this.#unsent += value;
      if (this.#unsent !== '') this.#sending ??= this.#sendSoon();
    }
  }

  /** Notes the end first, so that a whole message is never sent again. */
  async complete(value: unknown): Promise<void> {
    await this.#sent();
    if (this.#fault) throw this.#fault;
    const messageId = this.#messageId;
    if (messageId === undefined) return;
    this.#call.note({ messageId, isWhole: true, ...defined({ value }) } satisfies Begun);
    await this.#call.ready();
    if ((await complete(this.#service, messageId)) || !this.#hasDriedUp()) return;
    this.#beginAgain();
    this.#sending = this.#sendSoon();
    return this.complete(value);
  }

  async breakOff(): Promise<void> {
    await this.#sent();
    if (this.#messageId !== undefined) await breakOff(this.#service, this.#messageId);
  }

  /** Called when no more text follows. Resolves when all is sent. */
  async #sent(): Promise<void> {
    this.#isSaid = true;
    this.#hurry();
    await this.#sending;
  }

  /** Sends the first piece at once, and later ones together. */
  async #sendSoon(): Promise<void> {
    try {
      while (this.#unsent !== '') {
        const messageId = this.#messageId ?? (await this.#begin());
        const text = this.#unsent;
        this.#unsent = '';
        await this.#append(messageId, text);
        if (!this.#isSaid) await this.#gather();
      }
      this.#sending = undefined;
    } catch (error) {
      this.#fault = error;
    }
  }

  async #append(messageId: string, text: string): Promise<void> {
    try {
      await reach(() => this.#service.appendToMessage({ messageId, text }));
      this.#sentAt = performance.now();
    } catch (error) {
      if (!isOver(error) || !this.#hasDriedUp()) throw error;
      this.#beginAgain();
    }
  }

  #hasDriedUp(): boolean {
    return performance.now() - this.#sentAt > driesUpAfterMs;
  }

  /** Begins another message with all text so far. */
  #beginAgain(): void {
    this.#messageId = undefined;
    this.#unsent = this.#text;
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Notes the message before its first piece, so that another attempt can cancel it. */
  async #begin(): Promise<string> {
    const { key, notes, note, ready } = this.#call;
    const post = (): Promise<Message> => {
      const idempotencyKey = `${key}:${notes.length}:${this.#begun++}`;
      return reach(() => this.#service.postMessage({ threadId: this.#threadId, streaming: true, idempotencyKey }));
    };
    let begun = await post();
    // An attempt that died before it noted this message has left it to the server, which cancels it.
    while (begun.state !== 'streaming') begun = await post();
    note({ messageId: begun.id } satisfies Begun);
    await ready();
    this.#messageId = begun.id;
    this.#sentAt = performance.now();
    return begun.id;
  }
}

/** Completes the message. Returns false if the server has cancelled it after too long without a piece. */
async function complete(service: HoldpointService, messageId: string): Promise<boolean> {
  const message = await orAsItIs(service, messageId, () => service.completeMessage({ messageId }));
  return message.state === undefined;
}

const breakOff = (service: HoldpointService, messageId: string): Promise<Message> =>
  orAsItIs(service, messageId, () => service.cancelMessage({ messageId }));

/** Returns a message that has ended already as it is. */
async function orAsItIs(service: HoldpointService, messageId: string, end: () => Promise<Message>): Promise<Message> {
  try {
    return await reach(end);
  } catch (error) {
    if (!isOver(error)) throw error;
    return reach(() => service.getMessage({ messageId }));
  }
}

const isOver = (error: unknown) => error instanceof HoldpointError && error.code === 'message-not-streaming';

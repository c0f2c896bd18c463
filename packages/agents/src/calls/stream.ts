/** The call `say` with a generator that yields the text. After a crash in the middle the message is cancelled and begun again. */
import { defined, type HoldpointService, hasCode, type Message, onFault } from '@holdpoint/protocol';
import { asJson } from '../engine/as-json.ts';
import { type CallKind, keepValue, type LiveCall, recallValue } from '../engine/call.ts';
import { reach } from '../engine/errors.ts';
import type { Place } from './messages.ts';

/** Text that arrives within this time is sent as one piece. */
const gatherMs = 30;

/** The server cancels a message after a minute without a piece. If it was cancelled earlier, a caller cancelled it. */
const driesUpAfterMs = 50_000;

/** The note: the message, and once all its text is sent, the result of the generator. */
interface Begun {
  messageId: string;
  isWhole?: boolean;
  value?: unknown;
}

export function stream<T>({ service, threadId }: Place, pieces: () => AsyncGenerator<string, T>): CallKind<T> {
  return {
    type: 'say',
    name: 'streamed',
    async play(call) {
      await call.ready();
      const earlier = call.notes.at(-1) as Begun | undefined;
      if (earlier?.isWhole && (await complete(service, earlier.messageId))) return keepValue(earlier.value as T);
      if (earlier) await breakOff(service, earlier.messageId);
      const message = streamedMessage(service, threadId, call);
      const generator = pieces();
      try {
        const value = asJson(await message.sayAll(generator), 'The generator');
        await message.complete(value);
        return keepValue(value);
      } catch (error) {
        await generator.return(undefined as T).catch(() => {});
        await message.breakOff();
        throw error;
      }
    },
    recall: recallValue<T>,
  };
}

function streamedMessage(service: HoldpointService, threadId: string, { key, notes, note, ready }: LiveCall) {
  let messageId: string | undefined;
  /** All text so far, and the part that was not sent. */
  let text = '';
  let unsent = '';
  let sentAt = 0;
  /** Number of messages in which it was begun. */
  let begun = 0;
  let sending: Promise<void> | undefined;
  let fault: unknown;
  /** Ends the pause between two pieces. */
  let hurry = () => {};
  let isSaid = false;

  /** Called when no more text follows. Resolves when all is sent. */
  async function sendRest(): Promise<void> {
    isSaid = true;
    hurry();
    await sending;
  }

  /** Sends the first piece at once, and later ones together. */
  async function sendSoon(): Promise<void> {
    try {
      while (unsent !== '') {
        const id = messageId ?? (await begin());
        const piece = unsent;
        unsent = '';
        await append(id, piece);
        if (!isSaid) await gather();
      }
      sending = undefined;
    } catch (error) {
      fault = error;
    }
  }

  async function append(id: string, piece: string): Promise<void> {
    try {
      await reach(() => service.appendToMessage({ messageId: id, text: piece }));
      sentAt = performance.now();
    } catch (error) {
      if (!hasCode(error, over) || !hasDriedUp()) throw error;
      beginAgain();
    }
  }

  const hasDriedUp = () => performance.now() - sentAt > driesUpAfterMs;

  /** Begins another message with all text so far. */
  function beginAgain(): void {
    messageId = undefined;
    unsent = text;
  }

  const gather = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Notes the message before its first piece, so that another attempt can cancel it. */
  async function begin(): Promise<string> {
    let message: Message;
    // An attempt that died before it noted this message has left it to the server, which cancels it.
    do {
      const idempotencyKey = `${key}:${notes.length}:${begun++}`;
      message = await reach(() => service.postMessage({ threadId, streaming: true, idempotencyKey }));
    } while (message.state !== 'streaming');
    note({ messageId: message.id } satisfies Begun);
    await ready();
    sentAt = performance.now();
    messageId = message.id;
    return messageId;
  }

  return {
    async sayAll<T>(generator: AsyncGenerator<string, T>): Promise<T> {
      while (true) {
        const { done, value } = await generator.next();
        if (fault) throw fault;
        if (done) return value;
        text += value;
        unsent += value;
        if (unsent !== '') sending ??= sendSoon();
      }
    },
    /** Notes the end first, so that a whole message is never sent again. */
    async complete(value: unknown): Promise<void> {
      while (true) {
        await sendRest();
        if (fault) throw fault;
        if (messageId === undefined) return;
        note({ messageId, isWhole: true, ...defined({ value }) } satisfies Begun);
        await ready();
        if ((await complete(service, messageId)) || !hasDriedUp()) return;
        beginAgain();
        sending = sendSoon();
      }
    },
    async breakOff(): Promise<void> {
      await sendRest();
      if (messageId !== undefined) await breakOff(service, messageId);
    },
  };
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
  return onFault(
    over,
    () => reach(end),
    () => reach(() => service.getMessage({ messageId })),
  );
}

/** The fault of a message that has ended. */
const over = 'message-not-streaming';

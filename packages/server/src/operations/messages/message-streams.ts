/** Streamed messages: the text grows in a document beside the message. The end of the stream writes it into the message. */
import { type AppendToMessage, type CompleteMessage, fail, type Message, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller, type Verb } from '../../domain/caller.ts';
import {
  appendTo,
  driedUp,
  driesUpAt,
  endStream,
  publishedPieces,
  type StreamEnd,
  soFar,
} from '../../domain/message-stream.ts';
import type { Change, Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { orThrow, perform } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { loadMessage, orNotFound } from './messages.ts';

/** A piece is on disk when it is acknowledged, and then told to whoever follows. It is not remembered under a key. */
export async function appendToMessage(
  context: Context,
  caller: Caller,
  { messageId: id, text }: { messageId: string } & AppendToMessage,
): Promise<Message> {
  const message = await perform(context, caller, {
    verb: 'appendToMessage',
    input: {},
    attempt: async () => {
      const { message, stream } = await loadStream(context, caller, id);
      const record = orThrow(appendTo(stream.record, text, context.clock.now()));
      return {
        change: { documents: [{ type: 'stream', id, record, expected: stream.revision }] },
        resource: { type: 'message', id },
        result: soFar(message, record),
      };
    },
    reload: () => loadMessage(context, caller, id),
  });
  const { threadId, updatedAt: at = message.at } = message;
  const delta = { orgId: caller.orgId, threadId, type: 'message.delta', at, actor: actorOf(caller) } as const;
  let offset = String(message.blocks[0]?.payload.text ?? '').length - text.length;
  for (const piece of publishedPieces(text)) {
    context.store.publish({ ...delta, data: { messageId: id, text: piece, offset } });
    offset += piece.length;
  }
  return message;
}

export function completeMessage(
  context: Context,
  caller: Caller,
  input: { messageId: string } & CompleteMessage & Write,
): Promise<Message> {
  const { text } = input;
  const end = { type: 'complete', by: actorOf(caller), ...(text === undefined ? {} : { text }) } as const;
  return endMessage(context, caller, { verb: 'completeMessage', input, end });
}

export function cancelMessage(
  context: Context,
  caller: Caller,
  input: { messageId: string } & Write,
): Promise<Message> {
  const end = { type: 'cancel', by: actorOf(caller) } as const;
  return endMessage(context, caller, { verb: 'cancelMessage', input, end });
}

interface MessageEnd {
  verb: Verb;
  input: { messageId: string; idempotencyKey?: string };
  end: StreamEnd;
}

function endMessage(context: Context, caller: Caller, { verb, input, end }: MessageEnd): Promise<Message> {
  return perform(context, caller, {
    verb,
    input,
    attempt: async () => {
      const { message, stream } = await loadStream(context, caller, input.messageId);
      const { change, ended } = toChange(message, stream, end, context.clock.now());
      return { change, resource: { type: 'message', id: ended.id }, result: ended };
    },
    reload: (id) => loadMessage(context, caller, id),
  });
}

function toChange(
  begun: Message,
  { id, revision, record: stream }: Document<'stream'>,
  end: StreamEnd,
  now: number,
): { change: Omit<Change, 'orgId'>; ended: Message } {
  const { message, event } = endStream(begun, stream, end, now);
  const change: Omit<Change, 'orgId'> = {
    changedMessage: message,
    documents: [{ type: 'stream', id, record: null, expected: revision }],
    timers: [{ kind: 'stream', id, dueAt: null }],
    log: { threadId: message.threadId, events: [event] },
  };
  return { change, ended: message };
}

/** Called when a stream may have dried up. A piece that comes meanwhile keeps it going. */
export async function expireStream(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  await retryOnConflict(async () => {
    const [message, stream] = await Promise.all([
      store.getMessage({ orgId, id }),
      store.getDocument({ orgId, type: 'stream', id }),
    ]);
    const change = message && stream ? elapsed(message, stream, clock.now()) : moveTimer(id, null);
    return store.commit({ orgId, ...change });
  });
}

/** Its timer was set when it began, and no piece has moved it: where some have come since, it is moved now. */
function elapsed(message: Message, stream: Document<'stream'>, now: number): Omit<Change, 'orgId'> {
  const dueAt = driesUpAt(stream.record);
  return dueAt > now ? moveTimer(stream.id, dueAt) : toChange(message, stream, driedUp, now).change;
}

const moveTimer = (id: string, dueAt: number | null): Omit<Change, 'orgId'> => ({
  timers: [{ kind: 'stream', id, dueAt }],
});

/** A message and its stream, to append to it or to end it. */
async function loadStream(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  id: string,
): Promise<{ message: Message; stream: Document<'stream'> }> {
  const { orgId } = caller;
  const [found, stream] = await Promise.all([
    store.getMessage({ orgId, id }),
    store.getDocument({ orgId, type: 'stream', id }),
  ]);
  const message = orNotFound(found, caller, id);
  if (stream) return { message, stream };
  const current = await store.getMessage({ orgId, id });
  return fail('message-not-streaming', `The message ${id} is not being streamed.`, {
    current: { id, state: current?.state ?? 'complete' },
  });
}

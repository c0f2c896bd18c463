/** Streamed messages: the text grows in a document of its own. The end of the stream writes it into the message. */
import { defined, fail, type Message } from '@holdpoint/protocol';
import { actorOf, type Caller, type Verb } from '../../domain/caller.ts';
import {
  abandoned,
  abandonedAt,
  appendTo,
  endStream,
  publishedPieces,
  type StreamEnd,
  soFar,
} from '../../domain/message-stream.ts';
import type { Document } from '../../stores/documents.ts';
import type { Context, FireTimer, Operation } from '../context.ts';
import { type OrgChange, orThrow, perform, save } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { loadMessage, orNotFound } from './messages.ts';

/** Stores a piece before it is acknowledged, and then publishes it to open streams. Takes no idempotency key. */
export const appendToMessage: Operation<'appendToMessage'> = async (context, caller, { messageId: id, text }) => {
  const message = await save(context, caller, async () => {
    const { message, stream } = await loadStream(context, caller, id);
    const record = orThrow(appendTo(stream.record, text, context.clock.now()));
    const documents = [{ type: 'stream', id, record, expected: stream.revision } as const];
    return { change: { documents }, result: soFar(message, record) };
  });
  const { threadId, updatedAt: at = message.at } = message;
  const delta = { orgId: caller.orgId, threadId, type: 'message.delta', at, actor: actorOf(caller) } as const;
  let offset = String(message.blocks[0]?.payload.text ?? '').length - text.length;
  for (const piece of publishedPieces(text)) {
    context.store.publish({ ...delta, data: { messageId: id, text: piece, offset } });
    offset += piece.length;
  }
  return message;
};

export const completeMessage: Operation<'completeMessage'> = (context, caller, input) => {
  const end = { type: 'complete', by: actorOf(caller), ...defined({ text: input.text }) } as const;
  return endMessage(context, caller, 'completeMessage', input, end);
};

export const cancelMessage: Operation<'cancelMessage'> = (context, caller, input) =>
  endMessage(context, caller, 'cancelMessage', input, { type: 'cancel', by: actorOf(caller) });

const endMessage = (
  context: Context,
  caller: Caller,
  verb: Verb,
  input: { messageId: string; idempotencyKey?: string },
  end: StreamEnd,
): Promise<Message> =>
  perform(context, caller, {
    verb,
    input,
    attempt: async () => {
      const { message, stream } = await loadStream(context, caller, input.messageId);
      const ended = toChange(message, stream, end, context.clock.now());
      return { ...ended, resource: { type: 'message', id: message.id } };
    },
    reload: (id) => loadMessage(context, caller, id),
  });

function toChange(
  begun: Message,
  { id, revision, record: stream }: Document<'stream'>,
  end: StreamEnd,
  now: number,
): { change: OrgChange; result: Message } {
  const { message, event } = endStream(begun, stream, end, now);
  const change: OrgChange = {
    changedMessage: message,
    documents: [{ type: 'stream', id, record: null, expected: revision }],
    timers: [{ kind: 'stream', id, dueAt: null }],
    log: { threadId: message.threadId, events: [event] },
  };
  return { change, result: message };
}

/** Called when a stream may be abandoned. A piece that comes meanwhile keeps it open. */
export const expireStream: FireTimer = async ({ store, clock }, { orgId, id }) => {
  await retryOnConflict(async () => {
    const [message, stream] = await findStream({ store }, orgId, id);
    const now = clock.now();
    // A piece does not move the timer, so the timer moves now.
    const dueAt = message && stream ? abandonedAt(stream.record) : null;
    const isAbandoned = message && stream && abandonedAt(stream.record) <= now;
    const change = isAbandoned
      ? toChange(message, stream, abandoned, now).change
      : { timers: [{ kind: 'stream', id, dueAt } as const] };
    return store.commit({ orgId, ...change });
  });
};

const findStream = ({ store }: Pick<Context, 'store'>, orgId: string, id: string) =>
  Promise.all([store.getMessage({ orgId, id }), store.getDocument({ orgId, type: 'stream', id })]);

/** Loads a message and its stream, to append to it or to end it. */
async function loadStream(
  context: Context,
  caller: Caller,
  id: string,
): Promise<{ message: Message; stream: Document<'stream'> }> {
  const { orgId } = caller;
  const [found, stream] = await findStream(context, orgId, id);
  const message = orNotFound(found, caller, id);
  if (stream) return { message, stream };
  const current = await context.store.getMessage({ orgId, id });
  return fail('message-not-streaming', `The message ${id} is not streaming.`, {
    current: { id, state: current?.state ?? 'complete' },
  });
}

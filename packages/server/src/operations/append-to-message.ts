import type { AppendToMessage, Message } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { appendTo, soFar, toldPieces } from '../domain/message-stream.ts';
import type { Context } from './context.ts';
import { loadMessage, loadStream } from './load-message.ts';
import { orThrow, perform } from './perform.ts';

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
  for (const piece of toldPieces(text)) {
    context.store.tell({ ...delta, data: { messageId: id, text: piece, offset } });
    offset += piece.length;
  }
  return message;
}

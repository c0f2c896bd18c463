/** What complete and cancel share, and what the time does: the stream goes, and the message is what it has become. */
import type { Message } from '@holdpoint/protocol';
import type { Caller, Verb } from '../domain/caller.ts';
import { endStream, type StreamEnd } from '../domain/message-stream.ts';
import type { Change, Document } from '../stores/store.ts';
import type { Context } from './context.ts';
import { loadMessage, loadStream } from './load-message.ts';
import { perform } from './perform.ts';

interface MessageEnd {
  verb: Verb;
  input: { messageId: string; idempotencyKey?: string };
  end: StreamEnd;
}

export function endMessage(context: Context, caller: Caller, { verb, input, end }: MessageEnd): Promise<Message> {
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

export function toChange(
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

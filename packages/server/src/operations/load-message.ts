/** Loads messages that a caller may see. One that is being streamed is shown with what has come of it. */
import { fail, type Message } from '@holdpoint/protocol';
import { type Caller, reachesThread } from '../domain/caller.ts';
import { soFar } from '../domain/message-stream.ts';
import type { Document } from '../stores/store.ts';
import type { Context } from './context.ts';

export async function loadMessage(context: Context, caller: Caller, id: string): Promise<Message> {
  const message = await context.store.getMessage({ orgId: caller.orgId, id });
  return showSoFar(context, caller, orNotFound(message, caller, id));
}

export async function showSoFar({ store }: Context, { orgId }: Caller, message: Message): Promise<Message> {
  if (message.state !== 'streaming') return message;
  const { id } = message;
  const stream = await store.getDocument({ orgId, type: 'stream', id });
  // Without one it has ended since it was read.
  return stream ? soFar(message, stream.record) : ((await store.getMessage({ orgId, id })) ?? message);
}

/** A message and its stream, to append to it or to end it. */
export async function loadStream(
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

function orNotFound(message: Message | undefined, caller: Caller, id: string): Message {
  if (message && reachesThread(caller, message.threadId)) return message;
  return fail('message-not-found', `There is no message ${id}.`);
}

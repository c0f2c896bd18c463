import type { CompleteMessage, Message, Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { endMessage } from './end-message.ts';

export function completeMessage(
  context: Context,
  caller: Caller,
  input: { messageId: string } & CompleteMessage & Write,
): Promise<Message> {
  const { text } = input;
  const end = { type: 'complete', by: actorOf(caller), ...(text === undefined ? {} : { text }) } as const;
  return endMessage(context, caller, { verb: 'completeMessage', input, end });
}

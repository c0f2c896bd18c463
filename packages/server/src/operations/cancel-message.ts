import type { Message, Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { endMessage } from './end-message.ts';

export function cancelMessage(
  context: Context,
  caller: Caller,
  input: { messageId: string } & Write,
): Promise<Message> {
  const end = { type: 'cancel', by: actorOf(caller) } as const;
  return endMessage(context, caller, { verb: 'cancelMessage', input, end });
}

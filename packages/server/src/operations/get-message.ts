import type { Message } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { loadMessage } from './load-message.ts';
import { authorize } from './perform.ts';

export async function getMessage(
  context: Context,
  caller: Caller,
  { messageId }: { messageId: string },
): Promise<Message> {
  authorize(caller, 'getMessage');
  return loadMessage(context, caller, messageId);
}

import { fail, type Message, type PostMessage, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller, reachesThread } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { checkJsonBounds, invalidInput } from './invalid-input.ts';
import { perform } from './perform.ts';

export async function postMessage(
  context: Context,
  caller: Caller,
  input: { threadId: string } & PostMessage & Write,
): Promise<Message> {
  const { threadId, text, metadata } = input;
  if (!reachesThread(caller, threadId)) fail('thread-not-found', `There is no thread ${threadId}.`);
  if ((text === undefined) === (input.blocks === undefined))
    throw invalidInput([{ pointer: '/text', code: 'one-of', message: 'Give text or blocks, one of the two.' }]);
  if (caller.kind === 'responder' && input.role !== undefined && input.role !== 'user')
    fail('forbidden', 'A person posts as user.');
  checkJsonBounds({ metadata, blocks: input.blocks });
  const blocks = input.blocks ?? [{ type: 'message', payload: { text, format: 'plain' } }];
  const role = input.role ?? (caller.kind === 'responder' ? 'user' : 'agent');
  return perform(context, caller, {
    verb: 'postMessage',
    input,
    attempt: async () => {
      const at = timestamp(context.clock.now());
      const by = actorOf(caller);
      const id = context.newId();
      const message: Message = { id, threadId, role, blocks, by, at, ...(metadata ? { metadata } : {}) };
      const created = { type: 'message.created', at, actor: by, data: { message } } as const;
      return {
        change: { newMessage: message, log: { threadId, events: [created] } },
        resource: { type: 'message', id },
        result: message,
      };
    },
    reload: async (id) =>
      (await context.store.getMessage({ orgId: caller.orgId, id })) ?? fail('internal', 'The message is gone.'),
  });
}

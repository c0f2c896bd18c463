import { type Block, fail, type Message, type PostMessage, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller, reachesThread } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { checkJsonBounds, invalidInput } from './invalid-input.ts';
import { perform } from './perform.ts';

export function postMessage(
  context: Context,
  caller: Caller,
  input: { threadId: string } & PostMessage & Write,
): Promise<Message> {
  const { threadId, metadata } = input;
  return perform(context, caller, {
    verb: 'postMessage',
    input,
    attempt: async () => {
      if (!reachesThread(caller, threadId)) fail('thread-not-found', `There is no thread ${threadId}.`);
      checkJsonBounds({ metadata, blocks: input.blocks });
      const blocks = readBlocks(input);
      const role = readRole(caller, input);
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

function readBlocks({ text, blocks }: PostMessage): Block[] {
  if (text !== undefined && blocks === undefined) return [{ type: 'message', payload: { text, format: 'plain' } }];
  if (blocks !== undefined && text === undefined) return blocks;
  throw invalidInput([{ pointer: '/text', code: 'one-of', message: 'Give text or blocks, one of the two.' }]);
}

function readRole({ kind }: Caller, { role }: PostMessage): Message['role'] {
  if (kind === 'key') return role ?? 'agent';
  return role === undefined || role === 'user' ? 'user' : fail('forbidden', 'A person posts as user.');
}

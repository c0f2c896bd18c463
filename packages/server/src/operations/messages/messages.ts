/** Messages. A message that is still being streamed is returned with the text so far. */
import { type Block, defined, fail, type Message, type PostMessage, pointer, problem } from '@holdpoint/protocol';
import { actorOf, type Caller, isThreadInScope } from '../../domain/caller.ts';
import { refOf } from '../../domain/files/upload-fields.ts';
import { abandonedAt, beginStream, soFar, textBlocks } from '../../domain/message-stream.ts';
import { timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/documents.ts';
import type { Context, Operation } from '../context.ts';
import { fileAttached } from '../files/upload-file.ts';
import { checkJsonBounds, invalidInput } from '../invalid-input.ts';
import { type OrgChange, page, pageLimit, perform } from '../perform.ts';
import { loadThread } from '../threads.ts';

export const postMessage: Operation<'postMessage'> = (context, caller, input) => {
  const { threadId, metadata, streaming } = input;
  return perform(context, caller, {
    verb: 'postMessage',
    input,
    attempt: async () => {
      if (!isThreadInScope(caller, threadId)) fail('thread-not-found', `There is no thread ${threadId}.`);
      checkJsonBounds({ metadata, blocks: input.blocks });
      const role = readRole(caller, input);
      const content = streaming ? readStreaming(input, role) : { blocks: readBlocks(input) };
      const at = timestamp(context.clock.now());
      const by = actorOf(caller);
      const id = context.newId();
      const attached = await loadAttached(context, caller, input);
      const files = attached.length > 0 ? attached.map(({ record }) => refOf(record)) : undefined;
      const message: Message = {
        ...{ id, threadId, role, ...content, ...defined({ files }), by, at },
        ...defined({ metadata }),
      };
      const linked = attached.map(({ id: fileId, revision: expected, record }) => {
        return { type: 'file', id: fileId, record: { ...record, messageId: id }, expected } as const;
      });
      const created = { type: 'message.created', at, actor: by, data: { message } } as const;
      return {
        change: {
          newMessage: message,
          ...(streaming ? streamOf(message) : {}),
          ...(linked.length > 0 ? { documents: linked } : {}),
          log: { threadId, events: [...linked.map(({ record }) => fileAttached(record, at, by)), created] },
        },
        resource: { type: 'message', id },
        result: message,
      };
    },
    reload: (id) => loadMessage(context, caller, id),
  });
};

/** Loads the files of a message. They must be files of its thread, and of no other message. */
async function loadAttached(
  { store }: Context,
  { orgId }: Caller,
  { threadId, files = [], streaming }: { threadId: string } & PostMessage,
): Promise<Document<'file'>[]> {
  if (files.length === 0) return [];
  if (streaming) throw invalidInput([problem('/files', 'one-of', 'A streamed message begins without files.')]);
  const found = await Promise.all(files.map((id) => store.getDocument({ orgId, type: 'file', id })));
  return found.map((file, index) => {
    const at = pointer('/files', index);
    if (!file || file.record.threadId !== threadId || file.record.interactionId !== undefined)
      throw invalidInput([problem(at, 'unknown-file', 'The thread has no such file.')]);
    if (file.record.messageId === undefined) return file;
    throw invalidInput([problem(at, 'linked', 'The file belongs to another message.')]);
  });
}

function readBlocks({ text, blocks }: PostMessage): Block[] {
  if (text !== undefined && blocks === undefined) return textBlocks(text);
  if (blocks !== undefined && text === undefined) return blocks;
  throw invalidInput([problem('/text', 'one-of', 'Give text or blocks, but not both.')]);
}

/** A worker gets a message of a person as an input when it is created, so such a message must be whole. */
function readStreaming({ text, blocks }: PostMessage, role: Message['role']): Pick<Message, 'blocks' | 'state'> {
  const problems = [
    ...(text === undefined ? [] : [problem('/text', 'one-of', 'A streamed message begins without text.')]),
    ...(blocks === undefined ? [] : [problem('/blocks', 'one-of', 'A streamed message begins without blocks.')]),
    ...(role === 'user' ? [problem('/streaming', 'role', 'A message of role user cannot be streamed.')] : []),
  ];
  if (problems.length > 0) throw invalidInput(problems);
  return { blocks: [], state: 'streaming' };
}

function streamOf(message: Message): Pick<OrgChange, 'documents' | 'timers'> {
  const { id } = message;
  const record = beginStream(message);
  return {
    documents: [{ type: 'stream', id, record, expected: null }],
    timers: [{ kind: 'stream', id, dueAt: abandonedAt(record) }],
  };
}

function readRole({ kind }: Caller, { role }: PostMessage): Message['role'] {
  if (kind === 'key') return role ?? 'agent';
  return role === undefined || role === 'user'
    ? 'user'
    : fail('forbidden', 'A person can post only with the role user.');
}

export const getMessage: Operation<'getMessage'> = (context, caller, { messageId }) =>
  loadMessage(context, caller, messageId);

export const listMessages: Operation<'listMessages'> = async (context, caller, filter) => {
  const { threadId, order = 'oldest', cursor } = filter;
  await loadThread(context, caller, threadId);
  const { items, ...rest } = await context.store.listMessages({
    ...{ orgId: caller.orgId, threadId, order, limit: pageLimit(filter.limit) },
    ...defined({ cursor }),
  });
  return page({ ...rest, items: await Promise.all(items.map((message) => showSoFar(context, caller, message))) });
};

export async function loadMessage(context: Context, caller: Caller, id: string): Promise<Message> {
  const message = await context.store.getMessage({ orgId: caller.orgId, id });
  return showSoFar(context, caller, orNotFound(message, caller, id));
}

async function showSoFar({ store }: Context, { orgId }: Caller, message: Message): Promise<Message> {
  if (message.state !== 'streaming') return message;
  const { id } = message;
  const stream = await store.getDocument({ orgId, type: 'stream', id });
  // Without a document, the stream has ended since the message was read.
  return stream ? soFar(message, stream.record) : ((await store.getMessage({ orgId, id })) ?? message);
}

export function orNotFound(message: Message | undefined, caller: Caller, id: string): Message {
  if (message && isThreadInScope(caller, message.threadId)) return message;
  return fail('message-not-found', `There is no message ${id}.`);
}

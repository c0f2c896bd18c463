/** Messages. A message that is still being streamed is returned with the text so far. */
import {
  type Block,
  fail,
  type Message,
  type MessageFilter,
  type Page,
  type PostMessage,
  pointer,
  type Write,
} from '@holdpoint/protocol';
import { actorOf, type Caller, reachesThread } from '../../domain/caller.ts';
import { refOf } from '../../domain/files/upload-fields.ts';
import { beginStream, driesUpAt, soFar, textBlocks } from '../../domain/message-stream.ts';
import { timestamp } from '../../domain/state.ts';
import type { Change, Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { fileAttached } from '../files/attach-file.ts';
import { checkJsonBounds, invalidInput } from '../invalid-input.ts';
import { authorize, page, pageLimit, perform } from '../perform.ts';
import { loadThread } from '../threads.ts';

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
      const role = readRole(caller, input);
      const said = input.streaming ? readStreaming(input, role) : { blocks: readBlocks(input) };
      const at = timestamp(context.clock.now());
      const by = actorOf(caller);
      const id = context.newId();
      const files = await loadAttached(context, caller, input);
      const more = { ...(files.length > 0 ? { files: files.map(({ record }) => refOf(record)) } : {}) };
      const message: Message = { id, threadId, role, ...said, ...more, by, at, ...(metadata ? { metadata } : {}) };
      const linked = files.map((file) => ({ ...file, record: { ...file.record, messageId: id } }));
      const created = { type: 'message.created', at, actor: by, data: { message } } as const;
      return {
        change: {
          newMessage: message,
          ...(message.state === 'streaming' ? streamOf(message) : {}),
          ...(linked.length > 0 ? { documents: linked.map(linkedFile) } : {}),
          log: { threadId, events: [...linked.map(({ record }) => fileAttached(record, at, by)), created] },
        },
        resource: { type: 'message', id },
        result: message,
      };
    },
    reload: (id) => loadMessage(context, caller, id),
  });
}

/** The files of a message: of its thread, and of no other message. */
async function loadAttached(
  { store }: Context,
  { orgId }: Caller,
  { threadId, files = [], streaming }: { threadId: string } & PostMessage,
): Promise<Document<'file'>[]> {
  if (files.length === 0) return [];
  const refuse = (pointer: string, code: string, message: string): never => {
    throw invalidInput([{ pointer, code, message }]);
  };
  if (streaming) refuse('/files', 'one-of', 'A message that is streamed begins without files.');
  const found = await Promise.all(files.map((id) => store.getDocument({ orgId, type: 'file', id })));
  return found.map((file, index) => {
    const at = pointer('/files', index);
    const isOfThread = file?.record.threadId === threadId && file.record.interactionId === undefined;
    if (!file || !isOfThread) return refuse(at, 'unknown-file', 'The thread has no such file.');
    if (file.record.messageId === undefined) return file;
    return refuse(at, 'linked', 'The file belongs to another message.');
  });
}

const linkedFile = ({ id, revision, record }: Document<'file'>) =>
  ({ type: 'file', id, record, expected: revision }) as const;

function readBlocks({ text, blocks }: PostMessage): Block[] {
  if (text !== undefined && blocks === undefined) return textBlocks(text);
  if (blocks !== undefined && text === undefined) return blocks;
  throw invalidInput([{ pointer: '/text', code: 'one-of', message: 'Give text or blocks, one of the two.' }]);
}

/** An input of a worker is whole, so nobody hears the beginning of a person's message. */
function readStreaming({ text, blocks }: PostMessage, role: Message['role']): Pick<Message, 'blocks' | 'state'> {
  const problem = (pointer: string, code: string, message: string) => [{ pointer, code, message }];
  const problems = [
    ...(text === undefined ? [] : problem('/text', 'one-of', 'A message that is streamed begins without text.')),
    ...(blocks === undefined ? [] : problem('/blocks', 'one-of', 'A message that is streamed begins without blocks.')),
    ...(role === 'user' ? problem('/streaming', 'role', 'A message of role user is posted whole.') : []),
  ];
  if (problems.length > 0) throw invalidInput(problems);
  return { blocks: [], state: 'streaming' };
}

function streamOf(message: Message): Pick<Change, 'documents' | 'timers'> {
  const { id } = message;
  const record = beginStream(message);
  return {
    documents: [{ type: 'stream', id, record, expected: null }],
    timers: [{ kind: 'stream', id, dueAt: driesUpAt(record) }],
  };
}

function readRole({ kind }: Caller, { role }: PostMessage): Message['role'] {
  if (kind === 'key') return role ?? 'agent';
  return role === undefined || role === 'user' ? 'user' : fail('forbidden', 'A person posts as user.');
}

export async function getMessage(
  context: Context,
  caller: Caller,
  { messageId }: { messageId: string },
): Promise<Message> {
  authorize(caller, 'getMessage');
  return loadMessage(context, caller, messageId);
}

export async function listMessages(context: Context, caller: Caller, filter: MessageFilter): Promise<Page<Message>> {
  authorize(caller, 'listMessages');
  const { id: threadId } = await loadThread(context, caller, filter.threadId);
  const { order = 'oldest', cursor } = filter;
  const { items, next } = await context.store.listMessages({
    ...{ orgId: caller.orgId, threadId, order, limit: pageLimit(filter.limit) },
    ...(cursor === undefined ? {} : { cursor }),
  });
  const shown = await Promise.all(items.map((message) => showSoFar(context, caller, message)));
  return page({ items: shown, ...(next === undefined ? {} : { next }) });
}

export async function loadMessage(context: Context, caller: Caller, id: string): Promise<Message> {
  const message = await context.store.getMessage({ orgId: caller.orgId, id });
  return showSoFar(context, caller, orNotFound(message, caller, id));
}

async function showSoFar({ store }: Context, { orgId }: Caller, message: Message): Promise<Message> {
  if (message.state !== 'streaming') return message;
  const { id } = message;
  const stream = await store.getDocument({ orgId, type: 'stream', id });
  // Without one it has ended since it was read.
  return stream ? soFar(message, stream.record) : ((await store.getMessage({ orgId, id })) ?? message);
}

export function orNotFound(message: Message | undefined, caller: Caller, id: string): Message {
  if (message && reachesThread(caller, message.threadId)) return message;
  return fail('message-not-found', `There is no message ${id}.`);
}

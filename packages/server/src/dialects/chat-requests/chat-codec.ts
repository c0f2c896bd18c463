/** Translates chats into threads and back. Properties that a thread does not have are in its metadata, under `chat`. */
import { type CreateThread, defined, type Message, type Thread, type UpdateThread } from '@holdpoint/protocol';
import { refuse } from '../pointers.ts';
import { isShown, isWordless, previewOf, textOf } from './message-codec.ts';
import type { ChatFilter, CreateChat, UpdateChat } from './schemas.ts';

interface ChatFacts {
  agentIds: string[];
  modelId: string | null;
  tags: string[];
  pinned: boolean;
  titleSource: 'default' | 'auto' | 'manual';
  notificationsMuted: boolean;
  /** Null if the chat was marked as unread. Absent until it is read. */
  lastReadAt?: string | null;
  /** The newest message at that time. Ids sort by time and are unique. */
  lastReadId?: string;
}

const titleLength = 60;
const previewLength = 180;
/** Number of messages that are read for the unread count and the preview: of one chat, and of each chat in a list. */
export const messagesLookedAt = { alone: 50, listed: 10 };

export function toThread({ agentIds, modelId, title, tags = [], firstMessage }: CreateChat): CreateThread {
  const firstWords = cut(firstMessage?.replace(/\s+/g, ' ').trim() ?? '', titleLength) || undefined;
  const facts: ChatFacts = {
    agentIds,
    modelId: modelId ?? null,
    tags: toTags(tags),
    pinned: false,
    titleSource: title === undefined ? 'default' : 'manual',
    notificationsMuted: false,
  };
  return defined({ title: title === undefined ? firstWords : titleOf(title), metadata: { chat: facts } });
}

export function toThreadUpdate(
  thread: Thread,
  { title, titleAutoRenamed, tags, pinned, modelId, notificationsMuted }: UpdateChat,
): UpdateThread {
  const changed: Partial<ChatFacts> = defined({
    titleSource: title === undefined ? undefined : titleAutoRenamed ? 'auto' : 'manual',
    tags: tags && toTags(tags),
    pinned,
    modelId,
    notificationsMuted,
  });
  if (Object.keys(changed).length === 0)
    refuse('', 'required', 'Name something to change: title, tags, pinned, modelId or notificationsMuted.');
  return { ...withFacts(thread, changed), ...defined({ title: title === undefined ? undefined : titleOf(title) }) };
}

/** Marks a chat as read up to its newest message, or as unread. */
export function toReading(thread: Thread, isRead: boolean, newest: Message | undefined): UpdateThread {
  const read = { lastReadAt: newest?.at ?? thread.createdAt, ...defined({ lastReadId: newest?.id }) };
  return withFacts(thread, isRead ? read : { lastReadAt: null });
}

/** Replaces the whole metadata, so it checks the version. */
const withFacts = (thread: Thread, changed: Partial<ChatFacts>): UpdateThread => ({
  expectedVersion: thread.version,
  metadata: { ...thread.metadata, chat: { ...chatFacts(thread), ...changed } },
});

function titleOf(sent: string): string {
  return sent.trim() || refuse('/title', 'required', 'Give a title, or leave it out.');
}

const toTags = (tags: string[]) => [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))];

/** Cuts by code points, so that no character is split. */
const cut = (text: string, length: number) => [...text].slice(0, length).join('');

export type Chat = ReturnType<typeof toChat>;

/** `messages` are the newest messages, newest first. */
export function toChat(thread: Thread, { messages, pending }: { messages: Message[]; pending: number }) {
  const { id, title, createdAt, updatedAt, archivedAt } = thread;
  const facts = chatFacts(thread);
  const { lastReadAt = createdAt } = facts;
  const [last] = messages;
  const said = messages.filter(isShown).find((message) => isWordless(message) || textOf(message).trim() !== '');
  const lastAt = last && (last.updatedAt ?? last.at);
  const unread = messages.filter((message) => message.role !== 'user' && isUnread(message, facts));
  return {
    id,
    is_archived: archivedAt !== undefined,
    title: title ?? 'New Chat',
    title_source: facts.titleSource,
    tags: facts.tags,
    pinned: facts.pinned,
    agent_ids: facts.agentIds,
    model_id: facts.modelId,
    last_message_preview: said ? preview(said) : null,
    last_message_role: (said ?? last)?.role ?? null,
    pending_requests_count: pending,
    last_read_at: lastReadAt,
    // A chat that the user marked as unread counts at least one.
    unread_count: lastReadAt === null ? Math.max(1, unread.length) : unread.length,
    notifications_muted: facts.notificationsMuted,
    created_at: createdAt,
    updated_at: lastAt !== undefined && lastAt > updatedAt ? lastAt : updatedAt,
    last_message_at: lastAt ?? null,
  };
}

/** Compares ids if known, because a message may arrive in the millisecond in which the chat was read. */
function isUnread({ id, at }: Message, { lastReadAt, lastReadId }: ChatFacts): boolean {
  if (lastReadAt === null || lastReadAt === undefined) return true;
  return lastReadId === undefined ? at > lastReadAt : id > lastReadId;
}

const preview = (message: Message): string =>
  isWordless(message) ? previewOf(message.files ?? []) : cut(textOf(message).trim(), previewLength);

/** Any caller may write metadata, so values of the wrong type are ignored. */
export function chatFacts({ title, metadata }: Thread): ChatFacts {
  const { agentIds, modelId, tags, pinned, titleSource, notificationsMuted, lastReadAt, lastReadId } =
    (metadata?.chat ?? {}) as Record<keyof ChatFacts, unknown>;
  const isRead = typeof lastReadAt === 'string' || lastReadAt === null;
  return {
    agentIds: stringsOf(agentIds),
    modelId: typeof modelId === 'string' ? modelId : null,
    tags: stringsOf(tags),
    pinned: pinned === true,
    titleSource:
      titleSource === 'auto' || titleSource === 'manual' || titleSource === 'default'
        ? titleSource
        : title === undefined
          ? 'default'
          : 'manual',
    notificationsMuted: notificationsMuted === true,
    ...defined({
      lastReadAt: isRead ? lastReadAt : undefined,
      lastReadId: typeof lastReadId === 'string' ? lastReadId : undefined,
    }),
  };
}

const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** The order of Opengram's inbox: pinned chats, then by the last message. */
export function inboxOrder(a: Chat, b: Chat): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  return (b.last_message_at ?? '').localeCompare(a.last_message_at ?? '');
}

export function isListed(thread: Thread, { archived, tag, agentId, query }: ChatFilter): boolean {
  const { agentIds, tags } = chatFacts(thread);
  return (
    (archived === undefined || (archived === 'true') === (thread.archivedAt !== undefined)) &&
    (tag === undefined || tags.includes(tag)) &&
    (agentId === undefined || agentIds.includes(agentId)) &&
    (query === undefined || (thread.title ?? 'New Chat').toLowerCase().includes(query.toLowerCase()))
  );
}

/** The calls about chats. Each is a call about a thread. */

import { setImmediate } from 'node:timers/promises';
import {
  ActorSchema,
  defined,
  type HoldpointService,
  limits,
  type Thread,
  type UpdateThread,
} from '@holdpoint/protocol';
import { Type } from 'typebox';
import { gatherPage } from '../gather-page.ts';
import {
  type Chat,
  inboxOrder,
  isListed,
  messagesLookedAt,
  toChat,
  toReading,
  toThread,
  toThreadUpdate,
} from './chat-codec.ts';
import { chatPointers } from './fault-codec.ts';
import { inList, lenientRoute, retried, toList, withPointers } from './lenient-routes.ts';
import { primaryUser, toMessage } from './message-codec.ts';
import { Archived, ChatsQuery, CreateChatSchema, UpdateChatSchema } from './schemas.ts';

const path = '/api/v1/chats/:chatId';

const SummaryQuery = Type.Object({ archived: Archived });
const TypingSchema = Type.Object({ agentId: ActorSchema.properties.id });

/** A call without a body and without a result. */
const switching = (
  verb: string,
  summary: string,
  change: (service: HoldpointService, threadId: string) => Promise<unknown>,
) =>
  lenientRoute('POST', `${path}/${verb}`, {
    summary,
    isRemembered: false,
    handle: async (service, { params }) => {
      await change(service, params.chatId);
      return { ok: true };
    },
  });

export const chatRoutes = [
  lenientRoute('POST', '/api/v1/chats', {
    summary: 'Create a chat',
    body: CreateChatSchema,
    status: 201,
    handle: (service, { body, write }) =>
      withPointers(chatPointers, async () => {
        const thread = await service.createThread({ ...toThread(body), ...write });
        const text = body.firstMessage?.trim();
        const { id: threadId } = thread;
        const first = { role: 'user', senderId: primaryUser, content: text ?? null } as const;
        if (text) await service.postMessage({ threadId, ...toMessage(first), ...ofFirst(write) });
        return loadChat(service, thread);
      }),
  }),
  lenientRoute('GET', '/api/v1/chats', {
    summary: 'List chats',
    query: ChatsQuery,
    handle: async (service, { query: { limit = 50, cursor, ...filter } }) => {
      const isShown = (thread: Thread) => isListed(thread, filter);
      const { data, next } = await inList(() =>
        gatherPage((from) => service.listThreads(from), isShown, { limit, cursor }),
      );
      const chats = await loadChats(service, data);
      return toList(chats.sort(inboxOrder), next);
    },
  }),
  lenientRoute('GET', '/api/v1/chats/pending-summary', {
    summary: 'Count pending requests in all chats, or in archived or other chats only',
    query: SummaryQuery,
    handle: async (service, { query }) => ({
      pending_requests_total: (await service.countInteractions({ status: 'pending', ...query })).count,
    }),
  }),
  lenientRoute('GET', '/api/v1/chats/unread-summary', {
    summary: 'Count unread messages, in total and for each agent',
    query: SummaryQuery,
    handle: async (service, { query }) => {
      const isCounted = (thread: Thread) => isListed(thread, query);
      const { data } = await gatherPage((from) => service.listThreads(from), isCounted, { limit: limits.pageSize });
      return unreadIn(await loadChats(service, data));
    },
  }),
  lenientRoute('GET', path, {
    summary: 'Get a chat',
    handle: async (service, { params }) => loadChat(service, await service.getThread({ threadId: params.chatId })),
  }),
  lenientRoute('PATCH', path, {
    summary: 'Change a chat',
    body: UpdateChatSchema,
    handle: (service, { params, body }) =>
      withPointers(chatPointers, async () =>
        loadChat(service, await changeThread(service, params.chatId, async (thread) => toThreadUpdate(thread, body))),
      ),
  }),
  switching('archive', 'Archive a chat', (service, threadId) => service.updateThread({ threadId, isArchived: true })),
  switching('unarchive', 'Bring a chat back', (service, threadId) =>
    service.updateThread({ threadId, isArchived: false }),
  ),
  switching('mark-read', 'Mark a chat as read', (service, threadId) => markChat(service, threadId, true)),
  switching('mark-unread', 'Mark a chat as unread', (service, threadId) => markChat(service, threadId, false)),
  lenientRoute('POST', `${path}/typing`, {
    summary: 'Report that an agent is typing',
    body: TypingSchema,
    isRemembered: false,
    status: 204,
    handle: (service, { params, body: { agentId } }) => service.reportTyping({ threadId: params.chatId, agentId }),
  }),
  lenientRoute('POST', `${path}/user-typing`, {
    summary: 'Report that the user is typing',
    isRemembered: false,
    status: 204,
    handle: (service, { params }) => service.reportTyping({ threadId: params.chatId }),
  }),
];

function unreadIn(chats: readonly Chat[]) {
  const byAgent = new Map<string, number>();
  for (const { agent_ids, unread_count } of chats.filter(({ unread_count }) => unread_count > 0))
    for (const agent of new Set(agent_ids)) byAgent.set(agent, (byAgent.get(agent) ?? 0) + unread_count);
  const total = chats.reduce((sum, { unread_count }) => sum + unread_count, 0);
  return { total_unread: total, unread_by_agent: Object.fromEntries(byAgent) };
}

/** The idempotency key of the second write of a call. The space keeps it apart from keys that callers send. */
const ofFirst = ({ idempotencyKey: key }: { idempotencyKey?: string }) =>
  defined({ idempotencyKey: key && `${key} first` });

/** Number of chats that are loaded at a time. In between, other calls run. */
const loadedAtOnce = 10;

async function loadChats(service: HoldpointService, threads: readonly Thread[]): Promise<Chat[]> {
  const chats: Chat[] = [];
  for (let from = 0; from < threads.length; from += loadedAtOnce) {
    if (from > 0) await setImmediate();
    const group = threads.slice(from, from + loadedAtOnce);
    chats.push(...(await Promise.all(group.map((thread) => loadChat(service, thread, messagesLookedAt.listed)))));
  }
  return chats;
}

async function loadChat(service: HoldpointService, thread: Thread, limit = messagesLookedAt.alone): Promise<Chat> {
  const { id: threadId } = thread;
  const [{ data: messages }, { count: pending }] = await Promise.all([
    service.listMessages({ threadId, order: 'newest', limit }),
    service.countInteractions({ threadId, status: 'pending' }),
  ]);
  return toChat(thread, { messages, pending });
}

const markChat = (service: HoldpointService, threadId: string, isRead: boolean): Promise<Thread> =>
  changeThread(service, threadId, async (thread) => {
    const { data } = await service.listMessages({ threadId, order: 'newest', limit: 1 });
    return toReading(thread, isRead, data[0]);
  });

function changeThread(
  service: HoldpointService,
  threadId: string,
  change: (thread: Thread) => Promise<UpdateThread>,
): Promise<Thread> {
  return retried(async () => {
    const thread = await service.getThread({ threadId });
    return service.updateThread({ threadId, ...(await change(thread)) });
  });
}

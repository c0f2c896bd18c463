/** The calls about messages. */
import { defined, type HoldpointService, limits, type Message, onFault, type StoredFile } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { refuse } from '../pointers.ts';
import { chatFacts } from './chat-codec.ts';
import { messagePointers } from './fault-codec.ts';
import { Cursor, inList, lenientRoute, toList, withPointers } from './lenient-routes.ts';
import { isShown, mediaIdsIn, toMessage, toShownMessage } from './message-codec.ts';
import { CreateMessageSchema, Text } from './schemas.ts';

const ofChat = '/api/v1/chats/:chatId/messages';
const path = '/api/v1/messages/:messageId';

const MessagesQuery = Type.Object({
  cursor: Cursor,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize, default: 50 })),
});

const ChunkSchema = Type.Object({ deltaText: Type.String({ ...Text, minLength: 1 }) });
const CompleteMessageSchema = Type.Object({ finalText: Type.Optional(Text) });

export const messageRoutes = [
  lenientRoute('POST', ofChat, {
    summary: 'Post a message, or begin to stream one',
    body: CreateMessageSchema,
    status: 201,
    handle: (service, { params, body, write }) =>
      withPointers(messagePointers, async () => {
        const { chatId: threadId } = params;
        const chat = chatFacts(await service.getThread({ threadId }));
        const media = body.streaming ? [] : await loadMedia(service, mediaIdsIn(body.trace));
        return toShownMessage(await service.postMessage({ threadId, ...toMessage(body, media), ...write }), chat);
      }),
  }),
  lenientRoute('GET', ofChat, {
    summary: 'List messages, the newest first',
    query: MessagesQuery,
    handle: async (service, { params, query }) => {
      const { chatId: threadId } = params;
      const chat = chatFacts(await service.getThread({ threadId }));
      const { data, next } = await inList(() => service.listMessages({ threadId, order: 'newest', ...query }));
      const messages = data.filter(isShown).map((message) => toShownMessage(message, chat));
      return toList(messages, next);
    },
  }),
  lenientRoute('POST', `${ofChat}/cancel-streaming`, {
    summary: 'Cancel all streaming messages of a chat',
    isRemembered: false,
    handle: async (service, { params }) => {
      const newest = { order: 'newest', limit: limits.pageSize } as const;
      const { data } = await service.listMessages({ threadId: params.chatId, ...newest });
      const streaming = data.filter(({ state }) => state === 'streaming');
      const cancelled = streaming.map(({ id: messageId }) =>
        // A message may have ended meanwhile.
        onFault(
          'message-not-streaming',
          async () => [(await service.cancelMessage({ messageId })).id],
          () => [],
        ),
      );
      return { cancelledMessageIds: (await Promise.all(cancelled)).flat() };
    },
  }),
  lenientRoute('POST', `${path}/chunks`, {
    summary: 'Stream a piece of a message',
    body: ChunkSchema,
    isRemembered: false,
    handle: (service, { params, body }) =>
      withPointers([[/^\/text$/, '/deltaText']], async () =>
        shown(service, await service.appendToMessage({ ...params, text: body.deltaText })),
      ),
  }),
  lenientRoute('POST', `${path}/complete`, {
    summary: 'Complete a message that was streamed',
    body: CompleteMessageSchema,
    handle: (service, { params, body: { finalText }, write }) =>
      withPointers([[/^\/text$/, '/finalText']], async () =>
        shown(service, await service.completeMessage({ ...params, ...defined({ text: finalText }), ...write })),
      ),
  }),
  lenientRoute('POST', `${path}/cancel`, {
    summary: 'Cancel a streaming message',
    handle: async (service, { params, write }) => shown(service, await service.cancelMessage({ ...params, ...write })),
  }),
];

const shown = async (service: HoldpointService, message: Message) =>
  toShownMessage(message, chatFacts(await service.getThread({ threadId: message.threadId })));

async function loadMedia(service: HoldpointService, ids: readonly string[]): Promise<StoredFile[]> {
  if (ids.length > limits.filesPerField)
    refuse('/trace/mediaIds', 'max-items', `Give at most ${limits.filesPerField}.`);
  const load = () => Promise.all(ids.map((fileId) => service.getFile({ fileId })));
  const message = 'One of these media does not belong to this chat.';
  return onFault('file-not-found', load, () => refuse('/trace/mediaIds', 'unknown-file', message));
}

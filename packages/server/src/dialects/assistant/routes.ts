/** The turns of a conversation with an assistant, under /api/v1/chats. */
import { isObject } from '@holdpoint/protocol';
import type { Call, Dialect } from '../../routes/dialect.ts';
import { route } from '../../routes/route.ts';
import { renderFault } from './fault-codec.ts';
import { awaitTurn, takeTurn, toShownTurn } from './request-codec.ts';
import { defaultTimeoutMs, TurnBodySchema, TurnQuery } from './schemas.ts';
import { streamHeaders, streamTurn } from './stream.ts';

const turnRoutes = [
  route('POST', '/api/v1/chats/:chatId/messages', {
    summary: 'Send a message to the assistant, and get its turn',
    query: TurnQuery,
    body: TurnBodySchema,
    handle: async (service, { params: { chatId: threadId }, query, body, write, signal }) => {
      await takeTurn(service, { threadId, body, write });
      const { timeoutMs = defaultTimeoutMs } = query;
      return toShownTurn(await awaitTurn(service, { threadId, timeoutMs, signal: signal() }));
    },
    stream: {
      headers: streamHeaders,
      open: async (service, { params: { chatId: threadId }, query, body, write, signal, follow }) => {
        // Follows before it posts, so that no event of the turn is missed.
        const events = await follow(threadId);
        await takeTurn(service, { threadId, body, write });
        return streamTurn(service, { threadId, events, signal: signal(), ...query });
      },
    },
  }),
  route('GET', '/api/v1/chats/:chatId/turn', {
    summary: 'Get the last turn, when it has ended',
    query: TurnQuery,
    handle: async (service, { params: { chatId: threadId }, query: { timeoutMs = defaultTimeoutMs }, signal }) =>
      toShownTurn(await awaitTurn(service, { threadId, timeoutMs, signal: signal() })),
  }),
];

export const assistantTurns: Dialect = {
  name: 'assistant',
  prefixes: ['/api/v1/chats'],
  takes: isTurn,
  routes: turnRoutes,
  renderFault,
};

/** A body with a role is a message of the dialect chat-requests. */
function isTurn({ path, body }: Call): boolean {
  if (/\/turn$/.test(path)) return true;
  if (!/\/messages$/.test(path) || !isObject(body) || 'role' in body) return false;
  return 'message' in body || 'selectedOptionId' in body || 'values' in body;
}

/** The calls that ask, one of each dialect that has one: by them the playground asks in any of them. */
import type { Dialect } from '../../routes/dialect.ts';
import type { Route } from '../../routes/route.ts';
import { interactionRoutes } from '../routes/interactions.ts';

export const askingDialects = ['native', 'chat-requests', 'input-requests', 'agent-service', 'mcp'] as const;
export type AskingDialect = (typeof askingDialects)[number];

interface Asking {
  route: Route;
  /** What the path says of the thread. */
  params(threadId: string): Record<string, string>;
  /** What the body says of it, where it does. */
  beside?(threadId: string): Record<string, string>;
}

function find(routes: readonly Route[], path: string): Route {
  const found = routes.find((route) => route.method === 'POST' && route.path === path);
  if (!found) throw new Error(`there is no call POST ${path}`);
  return found;
}

const inConversation = (threadId: string) => ({ conversationId: threadId });

export type Askings = Readonly<Record<AskingDialect, Asking>>;

export function askingsOf(dialects: readonly Dialect[]): Askings {
  const routesOf = (dialect: AskingDialect) => dialects.find(({ name }) => name === dialect)?.routes ?? [];
  const conversation = find(routesOf('input-requests'), '/conversations/:conversationId/input-requests');
  return {
    native: {
      route: find(interactionRoutes, '/v1/threads/:threadId/interactions'),
      params: (threadId) => ({ threadId }),
    },
    'chat-requests': {
      route: find(routesOf('chat-requests'), '/api/v1/chats/:chatId/requests'),
      params: (chatId) => ({ chatId }),
    },
    'input-requests': { route: conversation, params: inConversation },
    'agent-service': {
      route: find(routesOf('agent-service'), '/spec/v1/interactions'),
      params: () => ({}),
      beside: (threadId) => ({ threadId }),
    },
    // The input of the tool is the body of the call.
    mcp: { route: conversation, params: inConversation, beside: (threadId) => ({ conversation_id: threadId }) },
  };
}

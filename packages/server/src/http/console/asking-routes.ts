/** The calls that ask, one of each dialect that has one: by them the playground asks in any of them. */
import { agentService } from '../../dialects/agent-service/routes.ts';
import { chatRequests } from '../../dialects/chat-requests/routes.ts';
import { inputRequests } from '../../dialects/input-requests/routes.ts';
import type { Route } from '../route.ts';
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

const conversation = find(inputRequests.routes, '/conversations/:conversationId/input-requests');
const inConversation = (threadId: string) => ({ conversationId: threadId });

export const askings: Readonly<Record<AskingDialect, Asking>> = {
  native: {
    route: find(interactionRoutes, '/v1/threads/:threadId/interactions'),
    params: (threadId) => ({ threadId }),
  },
  'chat-requests': {
    route: find(chatRequests.routes, '/api/v1/chats/:chatId/requests'),
    params: (chatId) => ({ chatId }),
  },
  'input-requests': { route: conversation, params: inConversation },
  'agent-service': {
    route: find(agentService.routes, '/spec/v1/interactions'),
    params: () => ({}),
    beside: (threadId) => ({ threadId }),
  },
  // The input of the tool is the body of the call.
  mcp: { route: conversation, params: inConversation, beside: (threadId) => ({ conversation_id: threadId }) },
};

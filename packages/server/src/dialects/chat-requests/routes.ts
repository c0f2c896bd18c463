/** Opengram's chats and requests, under /api/v1. */
import type { Dialect } from '../../http/dialect.ts';
import { chatRoutes } from './chat-routes.ts';
import { dispatchRoutes } from './dispatch-routes.ts';
import { renderFault } from './fault-codec.ts';
import { messageRoutes } from './message-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { eventStream } from './stream-routes.ts';

export const chatRequests: Dialect = {
  name: 'chat-requests',
  prefixes: ['/api/v1'],
  routes: [...chatRoutes, ...messageRoutes, ...requestRoutes, ...dispatchRoutes],
  stream: eventStream,
  renderFault,
};

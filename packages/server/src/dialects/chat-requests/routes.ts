/** Opengram's chats and requests, under /api/v1. */
import type { Dialect } from '../../routes/dialect.ts';
import { chatRoutes } from './chat-routes.ts';
import { dispatchRoutes } from './dispatch-routes.ts';
import { renderFault } from './fault-codec.ts';
import { instanceRoutes } from './instance-routes.ts';
import { mediaRoutes } from './media-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { searchRoutes } from './search-routes.ts';
import { eventStream } from './stream-routes.ts';

export const chatRequests: Dialect = {
  name: 'chat-requests',
  prefixes: ['/api/v1'],
  routes: [
    ...chatRoutes,
    ...messageRoutes,
    ...requestRoutes,
    ...dispatchRoutes,
    ...mediaRoutes,
    ...searchRoutes,
    ...instanceRoutes,
  ],
  stream: eventStream,
  documents: {
    // A set-up program of Opengram knows its server by this name.
    '/api/v1/health': ({ version, uptimeSeconds }) => ({
      ...{ service: 'opengram', status: 'ok', version, uptime: uptimeSeconds },
    }),
  },
  renderFault,
};

/** Every route of the native API, in the order of the reference. */

import type { Route, RouteSpec } from '../routes/route.ts';
import { eventsRoute } from './event-stream.ts';
import { fileContentRoute } from './file-content.ts';
import { accessRoutes } from './routes/access.ts';
import { dispatchRoutes } from './routes/dispatch.ts';
import { fileRoutes } from './routes/files.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { messageRoutes } from './routes/messages.ts';
import { runRoutes } from './routes/runs.ts';
import { sessionRoutes } from './routes/sessions.ts';
import { threadRoutes } from './routes/threads.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export const routes: readonly Route[] = [
  ...threadRoutes,
  ...messageRoutes,
  ...interactionRoutes,
  ...fileRoutes,
  ...dispatchRoutes,
  ...runRoutes,
  ...webhookRoutes,
  ...accessRoutes,
  ...sessionRoutes,
];

export const documentedRoutes: readonly RouteSpec[] = [...routes, fileContentRoute, eventsRoute];

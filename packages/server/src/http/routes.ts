/** Every route of the native API, in the order of the reference. */
import { eventsRoute } from './event-stream.ts';
import type { Route, RouteSpec } from './route.ts';
import { accessRoutes } from './routes/access.ts';
import { dispatchRoutes } from './routes/dispatch.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { messageRoutes } from './routes/messages.ts';
import { threadRoutes } from './routes/threads.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export const routes: readonly Route[] = [
  ...threadRoutes,
  ...messageRoutes,
  ...interactionRoutes,
  ...dispatchRoutes,
  ...webhookRoutes,
  ...accessRoutes,
];

export const documentedRoutes: readonly RouteSpec[] = [...routes, eventsRoute];

/** Replies made of blocks, under /api/public/v1: what a widget in a web page talks to. */
import type { Dialect } from '../../routes/dialect.ts';
import { renderFault } from './fault-codec.ts';
import { messageRoutes } from './message-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { uploadRoutes } from './upload-routes.ts';

export const blocks: Dialect = {
  name: 'blocks',
  prefixes: ['/api/public/v1'],
  routes: [...sessionRoutes, ...messageRoutes, ...uploadRoutes],
  isOpenToPages: true,
  renderFault,
};

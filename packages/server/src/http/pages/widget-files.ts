/** The scripts of the widget, as they were built, for pages of any origin. */
import type { FastifyInstance } from 'fastify';
import { builtIn, staticFiles } from './static-files.ts';

export function addWidgetFiles(app: FastifyInstance): void {
  // A module is fetched by the rules of CORS, and these hold no secret.
  const headers = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
  const files = staticFiles({ places: builtIn('widget'), headers, cacheControl: 'public, max-age=300' });
  app.get('/widget/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    return files.send(request, reply, file);
  });
}

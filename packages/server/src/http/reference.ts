/** Serves the API's description: for machines at /openapi.json, for people at /docs. */
import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.ts';
import { openApi } from './openapi.ts';
import type { RouteSpec } from './route.ts';

export function addReference(app: FastifyInstance, routes: readonly RouteSpec[]): void {
  let made: { json: string; page: ReturnType<typeof docsPage> } | undefined;
  const reference = () => {
    if (!made) {
      const document = openApi(routes);
      made = { json: JSON.stringify(document), page: docsPage(document) };
    }
    return made;
  };
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(reference().json),
  );
  app.get('/docs', async (_request, reply) => reply.headers(reference().page.headers).send(reference().page.html));
}

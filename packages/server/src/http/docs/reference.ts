/** Serves the API's description: for machines at /openapi.json, for people at /docs. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dialect } from '../../routes/dialect.ts';
import { describeProperties } from '../openapi/describe-properties.ts';
import { nameSchemas } from '../openapi/name-schemas.ts';
import type { DocumentedCall } from '../openapi/openapi.ts';
import { openApi } from '../openapi/openapi.ts';
import { withPlainKeywords } from '../openapi/plain-keywords.ts';
import { type DocsPage, docsPage } from './docs-page.ts';
import { docsIcon, docsStyle, iconFile, styleFile } from './docs-style.ts';
import { originMark } from './guide.ts';
import { escapeHtml } from './html.ts';

/** Made at the first call, so that starting does not wait for it. */
export function addReference(
  app: FastifyInstance,
  routes: readonly DocumentedCall[],
  dialects: readonly Dialect[],
): void {
  let made: { json: string; page: DocsPage } | undefined;
  const reference = () => {
    if (!made) {
      const document = withPlainKeywords(describeProperties(nameSchemas(openApi(routes))));
      made = { json: JSON.stringify(document), page: docsPage(document, dialects) };
    }
    return made;
  };
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(reference().json),
  );
  app.get('/docs', async (request, reply) => {
    const { html, headers } = reference().page;
    return reply.headers(headers).send(html.replaceAll(originMark, () => escapeHtml(originOf(request))));
  });
  const addFile = (path: string, type: string, body: string) =>
    app.get(path, async (_request, reply) => reply.headers({ ...fileHeaders, 'content-type': type }).send(body));
  addFile(styleFile, 'text/css; charset=utf-8', docsStyle);
  addFile(iconFile, 'image/svg+xml', docsIcon);
}

const fileHeaders = { 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' };

/** The address the reader called, as far as it can be one: commands that are pasted into a shell are made of it. */
function originOf({ protocol, host }: FastifyRequest): string {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) ? `${protocol}://${host}` : 'http://127.0.0.1:7400';
}

/** Serves the reference of the API: for programs at /openapi.json, for people at /docs. */
import { verbCalls, verbSpecs } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dialect } from '../../routes/dialect.ts';
import { describeProperties } from '../openapi/describe-properties.ts';
import { nameSchemas } from '../openapi/name-schemas.ts';
import { type DocumentedCall, openApi, withPlainKeywords } from '../openapi/openapi.ts';
import { icon, iconFile } from '../pages/logo.ts';
import { eventsRoute } from '../streams/event-stream.ts';
import { docsPage } from './docs-page.ts';
import { docsStyle, styleFile } from './docs-style.ts';
import { originMark } from './guide.ts';
import { escapeHtml } from './html.ts';

/** Every call of the native API, in the order of the reference. */
export const documentedRoutes: readonly DocumentedCall[] = [
  ...verbCalls.map(({ verb, ...call }): DocumentedCall => {
    const { takesFile, givesFile } = verbSpecs[verb];
    return { ...call, ...(takesFile && { takesFile }), ...(givesFile && { gives: 'application/octet-stream' }) };
  }),
  eventsRoute,
];

export function addReference(app: FastifyInstance, dialects: readonly Dialect[]): void {
  const make = () => {
    const document = withPlainKeywords(describeProperties(nameSchemas(openApi(documentedRoutes))));
    return { json: JSON.stringify(document), page: docsPage(document, dialects) };
  };
  let made: ReturnType<typeof make> | undefined;
  // Made by the first call, so that the start of the server does not wait for it.
  const reference = () => {
    made ??= make();
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
  addFile(iconFile, 'image/svg+xml', icon);
}

const fileHeaders = { 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' };

/** Returns the origin of the request if it is a plain host, because the reader pastes commands with it into a shell. */
function originOf({ protocol, host }: FastifyRequest): string {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) ? `${protocol}://${host}` : 'http://127.0.0.1:7400';
}

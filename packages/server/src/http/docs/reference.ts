/** Serves the reference of the API: for programs at /openapi.json, for people at /docs. */
import { verbCalls, verbSpecs } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Dialect } from '../../routes/dialect.ts';
import { describeProperties } from '../openapi/describe-properties.ts';
import { nameSchemas } from '../openapi/name-schemas.ts';
import { type DocumentedCall, openApi, withPlainKeywords } from '../openapi/openapi.ts';
import { type Compressed, compress, sendCompressed } from '../pages/compressed.ts';
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
    return { json: compress(JSON.stringify(document)), page: docsPage(document, dialects) };
  };
  let made: ReturnType<typeof make> | undefined;
  // Made by the first call, so that the start of the server does not wait for it.
  const reference = () => {
    made ??= make();
    return made;
  };
  app.get('/openapi.json', async (request, reply) =>
    sendCompressed(request, reply.type('application/json; charset=utf-8'), reference().json),
  );
  const pages = new Map<string, Compressed>();
  app.get('/docs', async (request, reply) => {
    const { html, headers } = reference().page;
    const origin = originOf(request);
    const page = pages.get(origin) ?? compress(html.replaceAll(originMark, () => escapeHtml(origin)));
    // A caller may give any host.
    if (pages.size >= maxPages && !pages.has(origin)) pages.clear();
    pages.set(origin, page);
    return sendCompressed(request, reply.headers(headers), page);
  });
  const addFile = (path: string, type: string, body: string) => {
    const file = compress(body);
    app.get(path, async (request, reply) =>
      sendCompressed(request, reply.headers({ ...fileHeaders, 'content-type': type }), file),
    );
  };
  addFile(styleFile, 'text/css; charset=utf-8', docsStyle);
  addFile(iconFile, 'image/svg+xml', icon);
}

/** The page names the address by which it was requested. One page is 0.8 MB, compressed and not. */
const maxPages = 8;

const fileHeaders = { 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' };

/** Returns the origin of the request if it is a plain host, because the reader pastes commands with it into a shell. */
function originOf({ protocol, host }: FastifyRequest): string {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host) ? `${protocol}://${host}` : 'http://127.0.0.1:7400';
}

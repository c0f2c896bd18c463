/** Serves the widget and the console: built files that never change while the server runs. Reads and compresses each at its first call. */
import { existsSync, readFileSync } from 'node:fs';
import { fail } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stylePath } from '../docs/docs-style.ts';
import { html, pageHead } from '../docs/html.ts';
import { type Compressed, compress, sendCompressed } from './compressed.ts';

interface StaticFile extends Compressed {
  name: string;
}

interface StaticFilesOptions {
  /** Folders. The first one that has the file is used. */
  places: readonly URL[];
  /** More headers than those of every file. */
  headers?: Readonly<Record<string, string>>;
  /** For files whose name does not contain a hash of the content. */
  cacheControl: string;
}

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};

/** The folder next to the bundle of the server, or the folder of the build if the server runs from its sources. */
const builtIn = (folder: string): URL[] =>
  [`./${folder}/`, `../../../dist/${folder}/`].map((path) => new URL(path, import.meta.url));

function staticFiles({ places, headers = {}, cacheControl }: StaticFilesOptions) {
  const known = new Map<string, StaticFile>();

  function find(name: string): StaticFile | undefined {
    const read = known.get(name);
    if (read) return read;
    // Looks for the file, because the sources may have a folder of the same name.
    const url = isFileName(name) && places.map((place) => new URL(name, place)).find(existsSync);
    if (!url) return undefined;
    const file = { name, ...compress(readFileSync(url)) };
    known.set(name, file);
    return file;
  }

  return {
    find,
    /** Responds 404 if there is no such file. */
    send(request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply {
      const file = find(name) ?? fail('route-not-found', 'There is no such file.');
      reply.headers({ ...headersOf(file, cacheControl), ...headers });
      return sendCompressed(request, reply, file);
    },
  };
}

/** Reports whether a name has no folder, is not hidden, and is of a type that is served. */
const isFileName = (name: string): boolean =>
  /^[\w-]+(?:\.[\w-]+)*$/.test(name) && Object.hasOwn(types, extensionOf(name));

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const headersOf = ({ name }: StaticFile, cacheControl: string): Record<string, string> => ({
  'content-type': types[extensionOf(name)] ?? 'application/octet-stream',
  'x-content-type-options': 'nosniff',
  // A file that is named by its content never changes.
  'cache-control': /-[\w-]{8}\.\w+$/.test(name) ? 'public, max-age=31536000, immutable' : cacheControl,
});

/** Serves the scripts of the widget to pages of any origin. */
export function addWidgetFiles(app: FastifyInstance): void {
  // Browsers fetch modules by the rules of CORS, and these files contain no secret.
  const headers = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
  const files = staticFiles({ places: builtIn('widget'), headers, cacheControl: 'public, max-age=300' });
  app.get('/widget/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    return files.send(request, reply, file);
  });
}

/** Allows nothing inline, nothing of other origins except images, no frames, and no text that becomes markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' https: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "trusted-types 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Headers of every page that has a script. */
export const pageHeaders = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

export function addConsoleFiles(app: FastifyInstance, places: readonly URL[] = builtIn('console')): void {
  // Not cached: a script of an older build would not fit the page of a newer one.
  const files = staticFiles({ places, headers: pageHeaders, cacheControl: 'no-cache' });
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    if (files.find('index.html')) return files.send(request, reply, 'index.html');
    return reply
      .headers({ ...pageHeaders, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(notBuilt.text);
  };
  app.get('/', begin);
  app.get('/console', begin);
  app.get('/console/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    return files.send(request, reply, file);
  });
}

/** The page of a server that runs from sources without a build. */
const notBuilt = html`${pageHead}
<title>Holdpoint</title>
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<main>
<section class="intro">
<h1>Holdpoint is running</h1>
<p class="lead">The console has not been built yet, so there is no page to show here.</p>
<p>In the folder of the sources, build it, then load this page again:</p>
<figure class="code"><pre><code>npm run build</code></pre></figure>
<p><code>npm start</code> builds it as well, and starts the server. The API works either way: <a href="/docs">its reference</a>.</p>
</section>
</main>
</body>
</html>
`;

/** Serves the built console at `/`, and at `/console` for apps that have their own `/`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { stylePath } from '../docs/docs-style.ts';
import { html } from '../docs/html.ts';
import { builtIn, pageHeaders, staticFiles } from '../pages/static-files.ts';

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
const notBuilt = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
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

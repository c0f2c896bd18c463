/** GET /a/{token}: one page for every link. Nothing is looked up and nothing is changed, whoever opens it. */
import type { FastifyInstance } from 'fastify';
import { iconFile } from '../docs/docs-style.ts';
import { html } from '../docs/html.ts';
import { answerStyle, answerStyleFile, answerStylePath } from './answer-style.ts';
import { pageHeaders } from './page-headers.ts';

/** The link is the right to answer: it is told to nobody, kept nowhere and found by no search engine. */
const headers = {
  ...pageHeaders,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
};

/** What a messenger shows of the link; it says nothing of the question. */
const title = 'A question is waiting for your answer';

const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<meta property="og:title" content="${title}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Holdpoint">
<title>${title}</title>
<link rel="stylesheet" href="${answerStylePath}">
<link rel="icon" type="image/svg+xml" href="${iconFile}">
<script type="module" src="/widget/widget.js"></script>
<script type="module" src="/widget/answer.js"></script>
</head>
<body>
<svg hidden aria-hidden="true">
<symbol id="done" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/><path d="m8 12.5 2.7 2.7L16 9.5"/></symbol>
<symbol id="closed" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/><path d="M8 12h8"/></symbol>
<symbol id="late" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/></symbol>
<symbol id="link" viewBox="0 0 24 24"><path d="M9.5 14.5 8 16a3.5 3.5 0 0 1-5-5l3-3m8.5 1.5L16 8a3.5 3.5 0 0 1 5 5l-3 3M4 4l16 16"/></symbol>
<symbol id="offline" viewBox="0 0 24 24"><path d="M5 12.5a10 10 0 0 1 4-2.4m6 0a10 10 0 0 1 4 2.4M8.5 16a5 5 0 0 1 7 0M12 19.5h.01M2 9a14 14 0 0 1 4.5-2.9M11 5a14 14 0 0 1 11 4M4 3l16 18"/></symbol>
</svg>
<main>
<div class="head" id="head" hidden><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2h3.5v12H3zM9.5 2H13v12H9.5z"/></svg><h1 id="heading">${title}</h1></div>
<p class="notice" id="notice" role="status" hidden></p>
<div class="question" id="question" hidden></div>
<section class="state" id="state" role="status" hidden>
<svg aria-hidden="true"><use id="picture" href="#done"/></svg>
<h1 id="title" tabindex="-1"></h1>
<p class="about" id="about" dir="auto"></p>
<p id="text"></p>
<button type="button" id="retry" hidden></button>
</section>
<noscript><p class="plain">This page needs JavaScript to show the question. Switch it on, or open the link in another browser.</p></noscript>
</main>
</body>
</html>
`.text;

export function addAnswerPage(app: FastifyInstance): void {
  // By everything that follows: a token may be longer than a part of a path is taken to be.
  app.get('/a/*', async (_request, reply) => reply.headers(headers).send(page));
  app.get(answerStyleFile, async (_request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' })
      .type('text/css; charset=utf-8')
      .send(answerStyle),
  );
}

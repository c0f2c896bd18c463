/** GET /a/: one page for every link, whose token is after `#`. It reads and changes no record. */
import type { FastifyInstance } from 'fastify';
import { html, pageHead } from '../docs/html.ts';
import { answerStyle, styleFile, stylePath } from './answer-style.ts';
import { iconLink, logoView } from './logo.ts';
import { pageHeaders } from './static-files.ts';

/** The link gives the right to answer, so it is not sent to other sites, not cached, and not found by search engines. */
const headers = {
  ...pageHeaders,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
};

/** Messengers show this title with the link. It reveals nothing of the question. */
const title = 'A question is waiting for your answer';

const page = html`${pageHead}
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<meta property="og:title" content="${title}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Holdpoint">
<title>${title}</title>
<link rel="stylesheet" href="${stylePath}">
${iconLink}
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
<div class="head" id="head" hidden>${logoView}<div><h1 id="heading">${title}</h1><p id="requester" dir="auto"></p><p id="you" dir="auto"></p></div></div>
<p class="notice" id="notice" role="status" hidden></p>
<div class="question" id="question" hidden></div>
<section class="state" id="state" role="status" hidden>
<svg aria-hidden="true"><use id="picture" href="#done"/></svg>
<h1 id="title" tabindex="-1"></h1>
<p class="about" id="about" dir="auto"></p>
<p id="text"></p>
<div class="own" id="own" hidden><h2 id="own-title"></h2><dl id="own-lines"></dl></div>
<button type="button" id="retry" hidden></button>
</section>
<noscript><p class="plain">This page needs JavaScript to show the question. Switch it on, or open the link in another browser.</p></noscript>
</main>
</body>
</html>
`.text;

export function addAnswerPage(app: FastifyInstance): void {
  // Some frameworks and proxies remove the slash at the end of a path.
  for (const path of ['/a/', '/a']) app.get(path, async (_request, reply) => reply.headers(headers).send(page));
  // Links of earlier versions.
  app.get<{ Params: { token: string } }>('/a/:token', async ({ params }, reply) =>
    reply.headers(headers).redirect(`/a/#${encodeURIComponent(params.token)}`),
  );
  app.get(styleFile, async (_request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' })
      .type('text/css; charset=utf-8')
      .send(answerStyle),
  );
}

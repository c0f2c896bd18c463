/** GET /a/: one page for every link, whose token is after `#`. It reads and changes no record. */
import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { iconFile } from '../docs/docs-style.ts';
import { html, pageHead } from '../docs/html.ts';
import { pageHeaders } from './static-files.ts';

/** The link gives the right to answer, so it is not sent to other sites, not cached, and not found by search engines. */
const headers = {
  ...pageHeaders,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
};

/** For a phone first, in the colors of the widget. */
const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f9, #101217); --card: light-dark(#ffffff, #17191f); --text: light-dark(#1b1d22, #eceef3);
  --muted: light-dark(#5a6070, #a7aebd); --line: light-dark(#dfe2ea, #2c313b); --accent: light-dark(#2f56d9, #8fa8ff);
  --on-accent: light-dark(#ffffff, #0d1330); --good: light-dark(#0b7a53, #6fd8ae); --warn: light-dark(#8a5200, #ffc672);
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; background: var(--page); color: var(--text);
  font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h1, p { margin: 0; }
main { flex: 1; width: 100%; max-width: 40rem; margin: 0 auto; padding: 1rem 0 2rem; }
.head { display: flex; align-items: center; gap: .5rem; padding: 0 1rem .75rem; color: var(--muted); font-size: .9375rem; }
.head svg { flex: none; width: 1rem; height: 1rem; fill: var(--accent); }
.head h1 { font: inherit; }
.notice {
  position: sticky; top: 0; z-index: 1; padding: .625rem 1rem; background: var(--card); border-block: 1px solid var(--line);
  color: var(--warn); font-size: .9375rem;
}
/* The card of the widget is the card of the page: from edge to edge on a phone. */
holdpoint-request::part(card) { border-width: 1px 0; border-color: var(--line); border-radius: 0; padding: 1.25rem 1rem; background: var(--card); }
.state { padding: 3.5rem 1.5rem; text-align: center; }
.state svg { width: 3.5rem; height: 3.5rem; stroke: var(--muted); stroke-width: 1.75; fill: none; stroke-linecap: round; stroke-linejoin: round; }
.state[data-state="sent"] svg, .state[data-state="voted"] svg { stroke: var(--good); }
.state[data-state="unreachable"] svg, .state[data-state="linkOver"] svg, .state[data-state="linkBroken"] svg { stroke: var(--warn); }
.state h1 { margin-top: 1rem; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; text-wrap: balance; outline: none; }
.state p { margin: .5rem auto 0; max-width: 26rem; color: var(--muted); text-wrap: balance; }
.state .about { margin-top: .25rem; color: var(--text); }
.state button {
  margin-top: 1.5rem; min-height: 2.75rem; padding: .5rem 1.25rem; border: 0; border-radius: 10px; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; cursor: pointer;
}
.plain { padding: 3.5rem 1.5rem; text-align: center; color: var(--muted); }
@media (min-width: 42rem) {
  main { padding: 3rem 1rem; }
  .head { padding: 0 .25rem .75rem; }
  .notice { top: .5rem; margin-bottom: .75rem; border: 1px solid var(--line); border-radius: 10px; }
  .state, holdpoint-request::part(card) { background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 8px 24px rgb(0 0 0 / .05); }
  holdpoint-request::part(card) { padding: 1.75rem; }
}
@media (forced-colors: active) { .state button { border: 1px solid; } .head svg { fill: CanvasText; } .state svg { stroke: CanvasText; } }
`;

const styleFile = '/answer.css';
/** Contains a hash of the content, so that browsers may cache it. */
const stylePath = `${styleFile}?v=${hash('sha256', style, 'hex').slice(0, 10)}`;

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
  app.get('/a/', async (_request, reply) => reply.headers(headers).send(page));
  app.get(styleFile, async (_request, reply) =>
    reply
      .headers({ 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' })
      .type('text/css; charset=utf-8')
      .send(style),
  );
}

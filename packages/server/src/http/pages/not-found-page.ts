/** The page at an address that does not exist, for people. Programs get a problem. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html, pageHead } from '../docs/html.ts';
import { stylePath } from './answer-style.ts';
import { iconLink, logoView } from './logo.ts';
import { pageHeaders } from './static-files.ts';

const page = html`${pageHead}
<meta name="robots" content="noindex">
<title>Page not found · Holdpoint</title>
<link rel="stylesheet" href="${stylePath}">
${iconLink}
</head>
<body>
<main>
<p class="head">${logoView} Holdpoint</p>
<section class="state" data-state="linkBroken">
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M9.5 14.5 8 16a3.5 3.5 0 0 1-5-5l3-3m8.5 1.5L16 8a3.5 3.5 0 0 1 5 5l-3 3M4 4l16 16"/></svg>
<h1>Page not found</h1>
<p>There is no page at this address. If you followed a link, open it again from the message, or ask its sender for a new one.</p>
<a class="button" href="/">Open Holdpoint</a>
<p>Are you writing a program? See the <a href="/docs">API reference</a>.</p>
</section>
</main>
</body>
</html>
`.text;

/** Reports whether a browser opens a page. Scripts and programs accept any type, or JSON. */
export const opensPage = ({ method, headers: { accept = '' } }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(accept);

export const sendNotFoundPage = (reply: FastifyReply): FastifyReply =>
  reply
    .code(404)
    .headers({
      ...pageHeaders,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'accept',
    })
    .send(page);

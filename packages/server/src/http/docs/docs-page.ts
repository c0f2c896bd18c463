/** The reference for people: one page made from the OpenAPI document, without files of other origins. It works without its script, which adds the search. */
import type { Dialect } from '../../routes/dialect.ts';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import { iconLink, logoView } from '../pages/logo.ts';
import { stylePath } from './docs-style.ts';
import { followingView, guideView, problemView } from './guide.ts';
import { type Html, html, type Part, pageHead, prose } from './html.ts';
import {
  type Entry,
  entryId,
  methodView,
  type Operation,
  operationView,
  type Schema,
  shapeId,
  shapeView,
} from './schema-view.ts';
import { errorTableView, eventTableView, fieldView } from './tables.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; require-trusted-types-for 'script'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

export function docsPage(document: OpenApiDocument, dialects: readonly Dialect[]) {
  const groups = Object.entries(Object.groupBy(entries(document), ({ operation }) => operation.tags[0] ?? ''));
  const { Field, ...others } = document.components.schemas as unknown as Record<string, Schema>;
  const shapes = Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1));
  const page = html`${pageHead}
<title>${document.info.title} API reference</title>
<link rel="stylesheet" href="${stylePath}">
${iconLink}
<script type="module" src="/widget/reference.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the contents</a>
<nav class="side" aria-label="Contents">${menu(
    groups,
    shapes.map(([name]) => name),
    dialects,
  )}</nav>
<main id="main">
${guideView(document.info.summary)}
${groups.map(([tag, group = []]) => groupView(tag, group))}
${dialectsView(dialects)}
<section id="field" class="guide"><h2>Fields</h2>
<p>Every question consists of fields of these ${Field?.anyOf?.length ?? 0} types. The server rejects unknown properties. An interaction contains the description of an upload, and never the file itself.</p>
${Field && fieldView(Field)}</section>
<section id="types" class="guide"><h2>Types</h2>${shapes.map(([name, shape]) => typeSection(name, shape))}</section>
<section id="errors" class="guide"><h2>Errors</h2>${problemView()}${errorTableView()}</section>
</main>
</body>
</html>
`;
  return { html: page.text, headers };
}

function entries({ paths }: OpenApiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      return { id: entryId(method, path), method, path, operation: operation as Operation };
    }),
  );
}

function groupView(tag: string, group: readonly Entry[]): Html {
  return html`<section id="${tagId(tag)}"><h2>${tag}</h2>${group.map(operationView)}${
    tag === 'Events' &&
    html`<div class="guide">${followingView()}<h3 id="event-types">Event types</h3>${eventTableView()}</div>`
  }</section>`;
}

function typeSection(name: string, shape: Schema): Html {
  return html`<section class="shape" id="${shapeId(name)}"><h3><a href="#${shapeId(name)}">${name}</a></h3>${
    shape.description && html`<p class="note">${shape.description}</p>`
  }${shapeView(shape)}</section>`;
}

const tagId = (tag: string): string => tag.toLowerCase();

function menu(
  groups: readonly [string, Entry[] | undefined][],
  shapes: readonly string[],
  dialects: readonly Dialect[],
): Part {
  const item = (id: string, text: Part) => html`<li><a href="#${id}">${text}</a></li>`;
  const list = html`<ul>${item('quickstart', 'Quickstart')}${item('python', 'Python')}${item('authentication', 'Authentication')}${item('asking', 'Asking')}${item('repeating', 'Repeating calls')}</ul>
${groups.map(
  ([tag, group = []]) => html`<h2><a href="#${tagId(tag)}">${tag}</a></h2>
<ul>${group.map(({ id, method, operation }) => item(id, html`${methodView(method)} ${operation.summary}`))}</ul>`,
)}
<h2><a href="#dialects">Other protocols</a></h2>
<ul>${dialects.map(({ name }) => item(`dialect-${name}`, dialectTitle(name)))}</ul>
<h2>Vocabulary</h2>
<ul>${item('field', 'Fields')}${item('event-types', 'Event types')}${item('errors', 'Errors')}</ul>
<h2><a href="#types">Types</a></h2>
<ul class="columns">${shapes.map((name) => item(shapeId(name), name))}</ul>`;
  return html`<a class="brand" href="#top">${logoView} Holdpoint</a>
<div id="search"></div>
<details class="narrow"><summary>Contents</summary>${list}</details>
<div class="wide">${list}</div>`;
}

const notes: Readonly<Record<string, { title: string; about: string }>> = {
  'chat-requests': {
    title: 'Chat requests',
    about:
      'For clients of Opengram: chats with streamed messages, requests with choices, texts and forms, a queue for workers, and events at `GET /api/v1/events/stream`.',
  },
  'input-requests': {
    title: 'Input requests',
    about:
      'Durable input requests of a conversation, as Veryfront’s agents create them. The MCP tools offer the same calls.',
  },
  'agent-service': {
    title: 'Agent service',
    about:
      'The InteractionRequest of the Agent Service Spec, with its events at `GET /spec/v1/events` and its schemas at `/spec/v1/schemas/resources/interaction-request.json`.',
  },
  assistant: {
    title: 'Assistant turns',
    about:
      'A turn of a conversation with an assistant: send a message, and get its messages, calls and question. The next message answers the question. With `Accept: text/event-stream`, the response is a UI message stream of the AI SDK.',
  },
  blocks: {
    title: 'Blocks',
    about:
      'For widgets in web pages: sessions with a public key, replies made of blocks that may wait for input, resumes, polling, uploads and telemetry. Pages of any origin may call it with a session token. The public key lists the origins that may open a session.',
  },
  mcp: {
    title: 'MCP',
    about:
      'Tools at `POST /mcp`, versions 2026-07-28, 2025-11-25, 2025-06-18 and 2025-03-26: `ask_human` asks a person and returns the answer, `wait_for_human` continues to wait. At `/mcp?tools=input-requests` are `create_input_request`, `list_input_requests`, `get_input_request`, `submit_input_request_response` and `cancel_input_request`, which do not wait. For agents that start their MCP servers themselves, `holdpoint mcp` offers the tools over standard input and output.',
  },
};

const dialectTitle = (name: string): string => notes[name]?.title ?? name;

const dialectsView = (dialects: readonly Dialect[]): Html => html`<section id="dialects" class="guide">
<h2>Other protocols</h2>
<p>All protocols share the same records. A question of one protocol can be read, answered and awaited in any other. All accept the same keys and tokens. Errors have the shape of the called protocol.</p>
${dialects.map(dialectView)}
</section>`;

function dialectView({ name, routes }: Dialect): Html {
  return html`<h3 id="dialect-${name}">${dialectTitle(name)}</h3><p>${prose(notes[name]?.about ?? '')}</p>${
    routes.length > 0 &&
    html`<table class="stack"><thead><tr><th scope="col">Call</th><th scope="col">Does</th></tr></thead><tbody>${routes.map(
      ({ method, path, summary }) =>
        html`<tr><td>${methodView(method)} <code>${path.replace(/:(\w+)/g, '{$1}')}</code></td><td>${summary}</td></tr>`,
    )}</tbody></table>`
  }`;
}

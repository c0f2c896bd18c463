/** The other protocols: their purpose, path and calls. */
import type { Dialect } from '../../routes/dialect.ts';
import { type Html, html, prose } from './html.ts';
import { methodView } from './operation-view.ts';

const notes: Readonly<Record<string, { title: string; about: string }>> = {
  'chat-requests': {
    title: 'Chat requests',
    about:
      'For clients of Opengram: chats with messages that stream, requests with choices, texts and forms, a queue for workers, and events at `GET /api/v1/events/stream`.',
  },
  'input-requests': {
    title: 'Input requests',
    about: 'Durable input requests of a conversation, as Veryfront’s agents create them. The MCP tools do the same.',
  },
  'agent-service': {
    title: 'Agent service',
    about:
      'The InteractionRequest of the Agent Service Spec, with its events at `GET /spec/v1/events` and its schemas at `/spec/v1/schemas/resources/interaction-request.json`.',
  },
  assistant: {
    title: 'Assistant turns',
    about:
      'A turn of a conversation with an assistant: send a message, and get its messages, calls and question. The next message answers the question. With `Accept: text/event-stream`, a UI message stream of the AI SDK.',
  },
  blocks: {
    title: 'Blocks',
    about:
      'For widgets in web pages: a session with a public key, replies made of blocks that may wait for input, resumes, polling, uploads and telemetry. Pages of every origin may call it with their session token. The public key lists the origins that may open a session.',
  },
  mcp: {
    title: 'MCP',
    about:
      'Tools at `POST /mcp`, versions 2026-07-28, 2025-11-25, 2025-06-18 and 2025-03-26: `ask_human` asks a person and returns the answer, `wait_for_human` continues to wait. At `/mcp?tools=input-requests` are `create_input_request`, `list_input_requests`, `get_input_request`, `submit_input_request_response` and `cancel_input_request`, which do not wait. For agents that start their MCP servers themselves, `holdpoint mcp` offers the tools over standard input and output.',
  },
};

export const dialectTitle = (name: string): string => notes[name]?.title ?? name;

export const dialectsView = (dialects: readonly Dialect[]): Html => html`<section id="dialects" class="guide">
<h2>Other protocols</h2>
<p>One record, every protocol: a question of one protocol can be read, answered and awaited in any other. All accept the same keys and tokens. Errors have the shape of the called protocol.</p>
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

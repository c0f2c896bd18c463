/** One operation: its purpose, input and output, and a command to try it. */
import { defined } from '@holdpoint/protocol';
import type { Parameter } from '../openapi/openapi.ts';
import { codeView, curlView, jsonView } from './code-view.ts';
import { examples } from './examples.ts';
import { type Html, html, type Part, prose } from './html.ts';
import { propertiesView, propertyView, refName, type Schema, typeView } from './schema-view.ts';

interface Content {
  description?: string;
  content: Readonly<Record<string, { schema: Schema }>>;
}

export interface Operation {
  tags: readonly string[];
  summary: string;
  description?: string;
  parameters?: readonly (Parameter & { schema: Schema })[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content>>;
}

export interface Entry {
  id: string;
  method: string;
  path: string;
  operation: Operation;
}

export const entryId = (method: string, path: string): string =>
  `${method}${path}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');

export function operationView({ id, method, path, operation }: Entry): Html {
  const { summary, description, parameters, requestBody, responses } = operation;
  const [status = '', response] = Object.entries(responses)[0] ?? [];
  const answer = Object.entries(response?.content ?? {})[0];
  return html`<section class="op" id="${id}" aria-labelledby="${id}-title">
<div class="op-text">
<h3 id="${id}-title"><a href="#${id}">${summary}</a></h3>
<p class="route">${methodView(method)} <code>${pathView(path)}</code></p>
${description && html`<p>${prose(description)}</p>`}
${parameterList('Path', parameters, 'path')}
${parameterList('Query', parameters, 'query')}
${parameterList('Headers', parameters, 'header')}
${requestBody && bodyView(requestBody)}
${answer && returnsView(status, answer[0], answer[1].schema)}
</div>
<div class="op-example">${exampleView(method, path)}</div>
</section>`;
}

export const methodView = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

function pathView(path: string): Part {
  return path.split(/(\{\w+\}|\/)/).map((piece) => {
    if (piece === '/') return html`<wbr>/`;
    return piece.startsWith('{') ? html`<span class="hole">${piece}</span>` : piece;
  });
}

function parameterList(title: string, parameters: Operation['parameters'] = [], place: Parameter['in']): Part {
  const wanted = parameters.filter((parameter) => parameter.in === place);
  if (wanted.length === 0) return undefined;
  return html`<h4>${title}</h4><ul class="props">${wanted.map(({ name, schema, required, description }) =>
    propertyView(name, schema, required, description),
  )}</ul>`;
}

function bodyView({ content }: Content): Part {
  const { schema = {} } = Object.values(content)[0] ?? {};
  return html`<h4>Body</h4>${schema.description && html`<p class="note">${prose(schema.description)}</p>`}${propertiesView(schema)}`;
}

function returnsView(status: string, contentType: string, schema: Schema): Part {
  const type = contentType === 'application/json' ? undefined : html` <span class="bounds">${contentType}</span>`;
  return html`<h4>Returns <span class="status">${status}</span>${type}</h4>${
    refName(schema) ? html`<p class="prop"><span class="type">${typeView(schema)}</span></p>` : propertiesView(schema)
  }`;
}

const samples: Readonly<Record<string, string>> = {
  '{threadId}': 'release',
  '{interactionId}': '$ID',
  '{grantId}': '$GRANT_ID',
  '{keyId}': '$KEY_ID',
};

function exampleView(method: string, path: string): Part {
  const { query = '', body, response, more } = examples[`${method} ${path}`] ?? {};
  const filled = path.replace(/\{\w+\}/g, (hole) => samples[hole] ?? hole);
  const call = { method, path: filled + query, body, ...defined({ more: more || undefined }) };
  return [codeView('curl', curlView(call)), response !== undefined && codeView('returns', jsonView(response))];
}

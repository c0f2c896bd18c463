/** JSON Schemas and operations for people: a type in one line, properties as a nested list, named shapes as links. */
import { defined, thousands } from '@holdpoint/protocol';
import type { Parameter } from '../openapi/openapi.ts';
import { examples } from './examples.ts';
import { codeView, foldedView, type Html, html, join, jsonView, type Part, prose } from './html.ts';
import { curlView, pythonView } from './samples.ts';

export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  description?: string;
  default?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

export const shapeId = (name: string): string => (name === 'Field' ? 'field' : `type-${name.toLowerCase()}`);

const refName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** The type in one line, such as `Field[]` or `"oldest" | "newest"`. */
function typeView(schema: Schema): Part {
  const name = refName(schema);
  if (name) return html`<a href="#${shapeId(name)}">${name}</a>`;
  if (schema.enum) return join(schema.enum.map(literal), ' | ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.anyOf) return alternatives(schema.anyOf);
  if (schema.type === 'array') {
    const { items = {} } = schema;
    const isUnion = items.anyOf !== undefined || items.enum !== undefined;
    return isUnion ? ['(', typeView(items), ')[]'] : [typeView(items), '[]'];
  }
  return schema.type ?? 'any JSON';
}

function alternatives(branches: readonly Schema[]): Part {
  const isSame = branches.every(({ properties }) => properties !== undefined);
  return isSame ? 'object' : join(branches.map(typeView), ' | ');
}

const literal = (value: unknown): Html => html`<span class="lit">${JSON.stringify(value)}</span>`;

export function propertiesView(schema: Schema): Part {
  const entries = Object.entries(schema.properties ?? {});
  if (entries.length === 0) return undefined;
  return html`<ul class="props">${entries.map(([name, property]) =>
    propertyView(name, property, schema.required?.includes(name) ?? false),
  )}</ul>`;
}

export function propertyView(name: string, schema: Schema, isRequired: boolean, description?: string): Html {
  const words = description ?? schema.description;
  const bounds = boundsOf(schema);
  const isNoted = words !== undefined || bounds.length > 0;
  return html`<li><p class="prop"><code class="name">${name}</code> <span class="type">${typeView(schema)}</span>${
    isRequired && html` <span class="must">required</span>`
  }</p>${
    isNoted &&
    html`<p class="note">${words && prose(words)}${words && bounds.length > 0 ? ' ' : ''}${
      bounds.length > 0 && html`<span class="bounds">${bounds.join(', ')}</span>`
    }</p>`
  }${nested(schema)}</li>`;
}

/** The properties inside a property, if they have no name of their own to link to. */
function nested(schema: Schema): Part {
  const inner = schema.type === 'array' ? (schema.items ?? {}) : schema;
  if (inner.properties) return propertiesView(inner);
  const branches = (inner.anyOf ?? []).filter(({ properties }) => properties !== undefined);
  return branches.map(propertiesView);
}

/** The properties of a named shape, or of each of its forms. */
export function shapeView(schema: Schema): Part {
  if (!schema.anyOf) return propertiesView(schema);
  return schema.anyOf.map((branch) => html`<div class="branch">${propertiesView(branch)}</div>`);
}

function boundsOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, exclusiveMinimum, pattern } = schema;
  return [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(minimum, maximum, ''),
    exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum}`,
    pattern === undefined ? '' : `matches ${pattern}`,
    schema.default === undefined ? '' : `default ${number(schema.default)}`,
  ].filter((bound) => bound !== '');
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const of = unit && ` ${unit}`;
  if (min !== undefined && max !== undefined) return `${number(min)} to ${number(max)}${of}`;
  if (max !== undefined) return `at most ${number(max)}${of}`;
  return min === undefined ? '' : `at least ${number(min)}${of}`;
}

const number = (value: unknown): string =>
  Number.isInteger(value) ? thousands(value as number) : JSON.stringify(value);

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
<div class="op-example">${exampleView(method, path, { takesFile: requestBody?.content['application/json'] === undefined && requestBody !== undefined, answers: answer?.[0] ?? '' })}</div>
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

/** The thread and the group of the guide. */
const known: Readonly<Record<string, string>> = { '{threadId}': 'release', '{groupId}': 'finance' };

function exampleView(
  method: string,
  path: string,
  { takesFile, answers }: { takesFile: boolean; answers: string },
): Part {
  const { query = '', body, response, more } = examples[`${method} ${path}`] ?? {};
  const call = {
    ...{ method, path: path.replace(/\{\w+\}/g, (hole) => known[hole] ?? hole) + query, body },
    ...defined({ more: more || undefined }),
  };
  return [
    codeView('curl', curlView(call)),
    !takesFile && answers === 'application/json' && foldedView('Python', pythonView(call)),
    response !== undefined && codeView('returns', jsonView(response)),
  ];
}

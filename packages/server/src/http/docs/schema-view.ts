/** JSON Schemas for people: a type in one line, properties as a nested list, named shapes as links. */
import { thousands } from '@holdpoint/protocol';
import { type Html, html, join, type Part, prose } from './html.ts';

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

export const refName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** The type in one line, such as `Field[]` or `"oldest" | "newest"`. */
export function typeView(schema: Schema): Part {
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

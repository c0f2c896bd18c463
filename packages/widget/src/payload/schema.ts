/** Schemas as far as a form is drawn of them. What is not known here is left to the JSON of the part, and to the server. */
import { defined } from '@holdpoint/protocol';
import type { Schema as AnySchema, SchemaObject as Schema } from '@holdpoint/protocol/answers';

export type { AnySchema, Schema };

/** A schema may lead to itself again and again: from here on the rest is not read. */
const maxSteps = 200;

/** With what it refers to and what it is made of in its place. Reading it ends, whatever a stranger wrote. */
export function resolve(schema: AnySchema | undefined, root: Schema, steps = { left: maxSteps }): Schema {
  if (typeof schema !== 'object' || steps.left-- <= 0) return {};
  const { $ref, allOf = [], ...own } = schema;
  const parts = [...($ref === undefined ? [] : [targetOf($ref, root)]), ...allOf];
  return parts.reduce((merged: Schema, part) => merge(resolve(part, root, steps), merged), own);
}

/** Both hold; of what both say, the second counts. */
export function merge(first: Schema, second: Schema): Schema {
  const properties = { ...first.properties };
  for (const [name, schema] of Object.entries(second.properties ?? {}))
    properties[name] = Object.hasOwn(properties, name) ? { allOf: [properties[name] ?? true, schema] } : schema;
  const required = [...new Set([...(first.required ?? []), ...(second.required ?? [])])];
  return {
    ...first,
    ...second,
    ...defined({
      properties: first.properties || second.properties ? properties : undefined,
      required: required.length > 0 ? required : undefined,
    }),
  };
}

/** Checked by the server when the question was asked; a schema of a later one may lead elsewhere. */
function targetOf(ref: string, root: Schema): AnySchema | undefined {
  let at: unknown = root;
  for (const token of ref.split('/').slice(1)) {
    const key = safelyDecoded(token).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at as AnySchema;
}

function safelyDecoded(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** Titles and descriptions are notes that nobody has checked. */
export const textOf = (note: unknown): string | undefined =>
  typeof note === 'string' && note.trim() !== '' ? note : undefined;

export type Values = Record<string, unknown>;

/** What was typed as JSON and cannot be read; it stays as it was typed. */
export class Unreadable {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unreadable);

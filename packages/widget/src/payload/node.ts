/** Decides how to show a part of a JSON Schema: a control, named parts, a list, a choice between forms, or JSON. */
import { defined } from '@holdpoint/protocol';
import type { Schema as AnySchema, SchemaObject as Schema } from '@holdpoint/protocol/answers';

export interface Option {
  value: unknown;
  label: string | undefined;
  description: string | undefined;
}

export type Node = { schema: Schema; isNullable: boolean } & (
  | { kind: 'text' | 'number' | 'boolean' | 'json' }
  | { kind: 'fixed'; value: unknown }
  | { kind: 'options'; options: readonly Option[] }
  | { kind: 'many'; options: readonly Option[] }
  | { kind: 'object'; properties: readonly Property[] }
  | { kind: 'list'; items: AnySchema }
  | { kind: 'branches'; branches: readonly Schema[] }
);

interface Property {
  name: string;
  schema: AnySchema;
  isRequired: boolean;
}

/** Deeper parts are JSON. */
const maxDepth = 6;

export function readNode(any: AnySchema | undefined, root: Schema, depth = 0): Node {
  if (depth > 2 * maxDepth) return { schema: {}, isNullable: false, kind: 'json' };
  const { branches, base, isNullable } = withoutNull(resolve(any, root), root);
  if (branches.length === 1 && branches[0]) {
    const node = readNode(merge(base, branches[0]), root, depth + 1);
    return { ...node, isNullable: isNullable || node.isNullable };
  }
  const about = { schema: base, isNullable };
  if (branches.length > 0) {
    const options = branches.map(optionOf);
    if (options.every((option) => option !== undefined)) return { ...about, kind: 'options', options };
    if (depth > maxDepth) return { ...about, kind: 'json' };
    return { ...about, kind: 'branches', branches: branches.map((branch) => merge(base, branch)) };
  }
  const { const: fixed, enum: values } = base;
  if (fixed === true) return { ...about, kind: 'boolean' };
  if (fixed !== undefined) return { ...about, kind: 'fixed', value: fixed };
  if (values) return { ...about, kind: 'options', options: values.map(plainOption) };
  switch (typeOf(base)) {
    case 'string':
      return { ...about, kind: 'text' };
    case 'number':
    case 'integer':
      return { ...about, kind: 'number' };
    case 'boolean':
      return { ...about, kind: 'boolean' };
    case 'null':
      return { ...about, kind: 'fixed', value: null };
    case 'object': {
      const properties = propertiesOf(base);
      if (properties.length === 0 || depth > maxDepth) return { ...about, kind: 'json' };
      return { ...about, kind: 'object', properties };
    }
    case 'array': {
      const { items, prefixItems } = base;
      if (prefixItems || items === undefined || typeof items === 'boolean' || depth > maxDepth)
        return { ...about, kind: 'json' };
      const item = readNode(items, root, depth + 1);
      return item.kind === 'options'
        ? { ...about, kind: 'many', options: item.options }
        : { ...about, kind: 'list', items };
    }
    default:
      return { ...about, kind: 'json' };
  }
}

function propertiesOf({ properties = {}, required = [] }: Schema): Property[] {
  return Object.entries(properties)
    .filter(([, schema]) => schema !== false)
    .map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
}

/** Null is not a branch of its own: an empty control means null. */
function withoutNull(schema: Schema, root: Schema): { branches: Schema[]; base: Schema; isNullable: boolean } {
  const { oneOf, anyOf, ...rest } = schema;
  const all = (oneOf ?? anyOf ?? []).map((branch) => resolve(branch, root));
  const branches = all.filter((branch) => branch.type !== 'null' && branch.const !== null);
  const types = [rest.type ?? []].flat();
  const others = types.filter((type) => type !== 'null');
  const isNullable = branches.length < all.length || (others.length > 0 && others.length < types.length);
  const type = others.length === 1 ? others[0] : others;
  return { branches, base: isNullable && others.length > 0 ? { ...rest, type: type ?? [] } : rest, isNullable };
}

/** Undefined for several types, because the person would have to choose one. */
function typeOf(schema: Schema): string | undefined {
  const { type } = schema;
  if (type !== undefined) return typeof type === 'string' ? type : type.length === 1 ? type[0] : undefined;
  if (schema.properties) return 'object';
  if (schema.items !== undefined) return 'array';
  if (schema.format ?? schema.pattern ?? schema.minLength ?? schema.maxLength) return 'string';
  return (schema.minimum ?? schema.maximum) === undefined ? undefined : 'number';
}

const plainOption = (value: unknown): Option => ({ value, label: undefined, description: undefined });

/** A branch that allows only one value is an option. */
function optionOf({ const: fixed, enum: values, title, description }: Schema): Option | undefined {
  const value = fixed ?? (values?.length === 1 ? values[0] : undefined);
  return value === undefined ? undefined : { value, label: textOf(title), description: textOf(description) };
}

/** A cheap check whether a value fits a branch: its type, its constants and its required properties. */
export function mayBe({ type, properties = {}, required = [] }: Schema, value: unknown): boolean {
  if (!isValues(value))
    return (
      type !== 'object' &&
      [type].flat().some((one) => one === typeOfValue(value) || (one === 'integer' && Number.isInteger(value)))
    );
  if (type !== undefined && type !== 'object') return false;
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(properties).every(
      ([name, part]) => typeof part !== 'object' || part.const === undefined || part.const === value[name],
    )
  );
}

const typeOfValue = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

export type { AnySchema, Schema };

/** A schema may refer to itself without end. After this many steps the rest is not read. */
const maxSteps = 200;

/** Inserts references and parts. Ends for every schema, also a hostile one. */
function resolve(schema: AnySchema | undefined, root: Schema, steps = { left: maxSteps }): Schema {
  if (typeof schema !== 'object' || steps.left-- <= 0) return {};
  const { $ref, allOf = [], ...own } = schema;
  const parts = [...($ref === undefined ? [] : [targetOf($ref, root)]), ...allOf];
  return parts.reduce((merged: Schema, part) => merge(resolve(part, root, steps), merged), own);
}

/** Combines two schemas. If both have a keyword, the second one counts. */
function merge(first: Schema, second: Schema): Schema {
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

/** The server checked the references when the question was created. A newer server may allow others. */
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

/** Titles and descriptions are unchecked and may be anything. */
export const textOf = (note: unknown): string | undefined =>
  typeof note === 'string' && note.trim() !== '' ? note : undefined;

export type Values = Record<string, unknown>;

/** Typed JSON that cannot be parsed. The text stays as it was typed. */
export class Unreadable {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unreadable);

export const ownOf = (values: unknown, name: string): unknown =>
  isValues(values) && Object.hasOwn(values, name) ? values[name] : undefined;

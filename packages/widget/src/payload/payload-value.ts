/** The value of a payload form: the initial one, and the one to send. */
import { type AnySchema, isValues, type Node, ownOf, readNode, type Schema, Unreadable, type Values } from './node.ts';

/** The initial value: defaults, constants, and false for required checkboxes. */
export function initialPayload(any: AnySchema | undefined, root: Schema, isRequired = true, depth = 0): unknown {
  const node = readNode(any, root, depth);
  if (node.schema.default !== undefined) return node.schema.default;
  if (!isRequired) return undefined;
  if (node.kind === 'fixed') return node.value;
  if (node.kind === 'boolean') return false;
  if (node.kind !== 'object') return undefined;
  return Object.fromEntries(
    node.properties.flatMap(({ name, schema, isRequired: isNeeded }) => {
      const value = initialPayload(schema, root, isNeeded, depth + 1);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The value to send: without empty optional parts, and with null or an empty value for required ones that allow it. */
export function payloadOf(any: AnySchema | undefined, root: Schema, value: unknown, depth = 0): unknown {
  const node = readNode(any, root, depth);
  if (value instanceof Unreadable) return undefined;
  if (node.kind === 'object' && isValues(value)) return objectOf(node, root, value, depth);
  if (node.kind === 'list' && Array.isArray(value))
    return value.map((item) => payloadOf(node.items, root, item, depth + 1) ?? null);
  return value;
}

function objectOf(node: Node & { kind: 'object' }, root: Schema, value: Values, depth: number): Values {
  const entered = { ...value };
  for (const { name, schema, isRequired } of node.properties) {
    const part = payloadOf(schema, root, ownOf(value, name), depth + 1);
    const isEmpty = part === undefined || (Array.isArray(part) && part.length === 0);
    const kept = isEmpty ? (isRequired ? emptyOf(readNode(schema, root, depth + 1)) : undefined) : part;
    if (kept === undefined) delete entered[name];
    else entered[name] = kept;
  }
  return entered;
}

function emptyOf({ kind, isNullable }: Node): unknown {
  if (isNullable) return null;
  return kind === 'list' || kind === 'many' ? [] : undefined;
}

/** A schema with more parts than these, or with endless ones, is edited as JSON. */
const maxParts = 400;

export function isDrawable(root: Schema): boolean {
  let left = maxParts;
  const walk = (any: AnySchema | undefined, depth: number): void => {
    const node = readNode(any, root, depth);
    if (node.kind !== 'object') return;
    for (const { schema, isRequired } of node.properties) {
      if (left-- <= 0) return;
      // An optional object is shown only after the person adds it.
      if (isRequired) walk(schema, depth + 1);
    }
  };
  walk(root, 0);
  return left > 0;
}

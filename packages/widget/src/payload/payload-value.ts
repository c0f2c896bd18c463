/** The payload while it is being filled in: what it begins with, what of it would be sent, and JSON that is not one yet. */
import { type AnySchema, isValues, type Node, readNode, type Schema, Unreadable, type Values } from './node.ts';

/** Without what nobody has entered: defaults, what cannot be otherwise, and boxes that must be there and are not ticked. */
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

/** What would be sent: what is optional and empty is left out, what must be there and may be empty is. */
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
    const part = Object.hasOwn(value, name) ? payloadOf(schema, root, value[name], depth + 1) : undefined;
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

/** More parts than these are not drawn: the whole is JSON, as is what never ends. */
const maxParts = 400;

export function isDrawable(root: Schema): boolean {
  let left = maxParts;
  const walk = (any: AnySchema | undefined, depth: number): void => {
    const node = readNode(any, root, depth);
    if (node.kind !== 'object') return;
    for (const { schema, isRequired } of node.properties) {
      if (left-- <= 0) return;
      // What is optional and has parts is drawn when somebody asks for it.
      if (isRequired) walk(schema, depth + 1);
    }
  };
  walk(root, 0);
  return left > 0;
}

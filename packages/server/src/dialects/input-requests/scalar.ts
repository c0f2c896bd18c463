/** Values there are single: a text, a number, true or false, or null. Ours may be more. */
import type { Scalar } from '@holdpoint/mcp';
import { checkJson, limits } from '@holdpoint/protocol';

/** How large it may be is for the rules to say; who nests it too deep must not get as far as that. */
const bounds = { maxBytes: Number.POSITIVE_INFINITY, maxDepth: limits.jsonDepth };

export const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== 'object';

/** Options may be numbers or true and false there; here they are texts. */
export const textOf = (value: unknown): unknown => (isScalar(value) && value !== null ? String(value) : value);

/** A file is told by where it is, and everything else that is not single by its JSON. */
export function scalarOf(value: unknown): Scalar {
  if (isScalar(value)) return value;
  return isFile(value) ? value.url : JSON.stringify(value);
}

const isFile = (value: unknown): value is { url: string } =>
  typeof value === 'object' && value !== null && 'file_id' in value && 'url' in value && typeof value.url === 'string';

/** The other way round; what is no JSON, or none that is kept anywhere, stands for itself. */
export function parsed(value: Scalar): unknown {
  if (typeof value !== 'string') return value;
  try {
    const read: unknown = JSON.parse(value);
    return checkJson(read, bounds).length > 0 ? value : read;
  } catch {
    return value;
  }
}

/** JSON values: comparison and bounds. */
import { type Problem, pointer, problem } from './problem.ts';

export type JsonSchema = { [keyword: string]: unknown };

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deep equality of JSON values: own properties only, in any order. */
export function jsonEqual(left: unknown, right: unknown, onCompare?: () => void): boolean {
  onCompare?.();
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      jsonEqual((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key], onCompare),
  );
}

export interface JsonBounds {
  maxBytes: number;
  maxDepth: number;
}

/** The place of a value. Pointers are joined only for problems: for every value they would cost more than the check. */
interface Place {
  value: unknown;
  key: string;
  parent: Place | undefined;
  depth: number;
}

/**
 * Checks the bounds of JSON that callers send and we only store: metadata, trace, arguments, values. It is iterative and
 * stops at the first exceeded bound, so that its own cost is bounded too.
 */
export function checkJson(value: unknown, { maxBytes, maxDepth }: JsonBounds, at = ''): Problem[] {
  const failed = (place: Place | undefined, code: string, message: string) => [
    problem(pointerTo(place, at), code, message),
  ];
  const stack: Place[] = [{ value, key: '', parent: undefined, depth: 1 }];
  let bytes = 0;
  for (let place = stack.pop(); place; place = stack.pop()) {
    const { value: current, depth } = place;
    if (typeof current === 'object' && current !== null) {
      if (depth > maxDepth) return failed(place, 'too-deep', `JSON may be nested at most ${maxDepth} levels deep.`);
      const keys = Object.keys(current);
      bytes += 2 + Math.max(0, keys.length - 1);
      const isArray = Array.isArray(current);
      for (const key of keys) {
        const inner = { value: (current as Record<string, unknown>)[key], key, parent: place, depth: depth + 1 };
        if (!isArray) {
          if (key === '__proto__') return failed(inner, 'forbidden-key', 'No key may be named __proto__.');
          bytes += stringBytes(key) + 1;
        }
        if (bytes > maxBytes) break;
        stack.push(inner);
      }
    } else if (isJsonScalar(current)) {
      bytes += typeof current === 'string' ? stringBytes(current) : String(current).length;
    } else {
      return failed(place, 'not-json', 'This is not a JSON value.');
    }
    if (bytes > maxBytes) return failed(undefined, 'too-large', `This may take at most ${maxBytes} bytes as JSON.`);
  }
  return [];
}

function pointerTo(place: Place | undefined, at: string): string {
  return place?.parent ? pointer(pointerTo(place.parent, at), place.key) : at;
}

function isJsonScalar(value: unknown): value is string | number | boolean | null {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  );
}

/** UTF-8 bytes of the JSON string literal. Does not use TextEncoder, because ECMAScript has none. */
function stringBytes(text: string): number {
  let bytes = 2;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22 || unit === 0x5c) bytes += 2;
    else if (unit < 0x20) bytes += unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 2 : 6;
    else if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3;
    else if (unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 6;
  }
  return bytes;
}

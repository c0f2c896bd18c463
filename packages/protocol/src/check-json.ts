/** Bounds for JSON that others send and we only keep: metadata, trace, arguments, values. */
import { type Problem, pointer } from './problem.ts';

export interface JsonBounds {
  maxBytes: number;
  maxDepth: number;
}

/** Where a value stands, told only when there is a problem with it: joining pointers for every value would cost more than the check. */
interface Place {
  value: unknown;
  key: string;
  parent: Place | undefined;
  depth: number;
}

/** Iterative, and it stops at the first bound that is passed, so that its own cost is bounded too. */
export function checkJson(value: unknown, { maxBytes, maxDepth }: JsonBounds, at = ''): Problem[] {
  const problem = (where: Place | undefined, code: string, message: string) => [
    { pointer: pointerTo(where, at), code, message },
  ];
  const stack: Place[] = [{ value, key: '', parent: undefined, depth: 1 }];
  let bytes = 0;
  while (true) {
    const place = stack.pop();
    if (!place) return [];
    const { value: current, depth } = place;
    if (typeof current === 'object' && current !== null) {
      if (depth > maxDepth) return problem(place, 'too-deep', `JSON may be nested at most ${maxDepth} levels deep.`);
      const keys = Object.keys(current);
      bytes += 2 + Math.max(0, keys.length - 1);
      const isArray = Array.isArray(current);
      for (const key of keys) {
        const inner = { value: (current as Record<string, unknown>)[key], key, parent: place, depth: depth + 1 };
        if (!isArray) {
          if (key === '__proto__') return problem(inner, 'forbidden-key', 'No key may be named __proto__.');
          bytes += stringBytes(key) + 1;
        }
        if (bytes > maxBytes) break;
        stack.push(inner);
      }
    } else if (isJsonScalar(current)) {
      bytes += typeof current === 'string' ? stringBytes(current) : String(current).length;
    } else {
      return problem(place, 'not-json', 'This is not a JSON value.');
    }
    if (bytes > maxBytes) return problem(undefined, 'too-large', `This may take at most ${maxBytes} bytes as JSON.`);
  }
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

/** UTF-8 bytes of the JSON string literal, without TextEncoder, which is no part of ECMAScript. */
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

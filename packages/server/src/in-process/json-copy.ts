/** Copies values as a connection would: they are JSON, and later changes to the original have no effect. */
import { fail } from '@holdpoint/protocol';
import { asFault, tooDeep } from '../http/requests/parse-json.ts';

/** The default limit of a request body. */
const mostBytes = 1_048_576;

/** Copies the input of a caller: dates become texts, undefined is left out, and values that are not JSON are rejected. */
export function takenCopy(given: unknown): unknown {
  const text = asJson(given);
  if (Buffer.byteLength(text) > mostBytes) fail('body-too-large', 'The body is larger than this server takes.');
  const copy: unknown = JSON.parse(text);
  const fault = tooDeep(copy) ?? (/"(__proto__|constructor)"/.test(text) ? prototypeKey(copy) : undefined);
  if (fault) throw fault;
  return copy;
}

/** Copies the output for a caller. */
export const givenCopy = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

function asJson(given: unknown): string {
  try {
    return JSON.stringify(given);
  } catch (error) {
    // The further lines of V8 draw the circle of a value that contains itself.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw asFault(new Error(reason));
  }
}

/** Finds the keys that HTTP rejects too. */
function prototypeKey(value: unknown): Error | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const inner = Object.hasOwn(value, 'constructor') ? (value as { constructor: unknown }).constructor : undefined;
  const isForbidden =
    Object.hasOwn(value, '__proto__') ||
    (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype'));
  if (isForbidden) return asFault(new Error('Object contains forbidden prototype property'));
  for (const each of Object.values(value)) {
    const found = prototypeKey(each);
    if (found) return found;
  }
  return undefined;
}

/** Values as they would come out at the other end of a connection: nobody changes them afterwards, and they are JSON. */
import { fail } from '@holdpoint/protocol';
import { asFault, tooDeep } from '../http/requests/parse-json.ts';

/** As large as the body of a request, unless a server is told otherwise. */
const mostBytes = 1_048_576;

/** What a caller gives: dates become texts, what is undefined is left out, and what is no JSON at all is refused. */
export function takenCopy(given: unknown): unknown {
  const text = asJson(given);
  if (Buffer.byteLength(text) > mostBytes) fail('body-too-large', 'The body is larger than this server takes.');
  const copy: unknown = JSON.parse(text);
  const refused = tooDeep(copy) ?? (/"(__proto__|constructor)"/.test(text) ? prototypeKey(copy) : undefined);
  if (refused) throw refused;
  return copy;
}

/** What a caller is given. */
export const givenCopy = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

function asJson(given: unknown): string {
  try {
    return JSON.stringify(given);
  } catch (error) {
    throw asFault(new Error(firstLine(error)));
  }
}

/** Of what goes round in a circle V8 draws a picture. */
const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] as string;

/** Refused where HTTP refuses them, too. */
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

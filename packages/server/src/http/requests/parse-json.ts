/**
 * Reads a JSON body. Before any other code sees it, rejects a body that two readers could read differently, or that
 * costs too much to examine.
 */
import { isUtf8 } from 'node:buffer';
import { defined, HoldpointError, limits, type Problem, pointer, thousands } from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';

/** Deeper than any of our shapes; JSON.stringify would overflow the stack at some thousands. */
const maxDepth = 64;

export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) return done(null, {});
    if (!isUtf8(bytes)) {
      const read = Buffer.from(bytes.toString());
      const place = bytes.findIndex((byte, at) => byte !== read[at]);
      return done(asFault(new Error(`it is not valid UTF-8 at byte ${place}`)));
    }
    const { depth, keys, widest } = outlineOf(bytes);
    if (depth > maxDepth) return done(tooDeepFault());
    if (widest > limits.objectKeys)
      return done(asFault(new Error(`an object has more than ${thousands(limits.objectKeys)} keys`)));
    parse(request, bytes.toString(), (error, value: unknown) => {
      if (error) return done(asFault(error));
      done(keys > countKeys(value) ? twiceFault(bytes) : null, value);
    });
  });
}

export const tooDeep = (value: unknown): HoldpointError | undefined =>
  isTooDeep(value, maxDepth) ? tooDeepFault() : undefined;

const tooDeepFault = () => asFault(new Error(`it is nested more than ${maxDepth} levels deep`));

export const asFault = ({ message }: Error, problems?: readonly Problem[]): HoldpointError =>
  new HoldpointError({
    code: 'malformed-body',
    detail: `The body could not be read: ${message}.`,
    ...defined({ problems }),
  });

/** JSON does not say which of two equal keys counts, so a check and a later reader could see different values. */
function twiceFault(bytes: Buffer): HoldpointError {
  const { key, pointer } = duplicateKey(bytes) ?? { key: '', pointer: '' };
  const message = `Duplicate key ${JSON.stringify(key.slice(0, 100))}.`;
  return asFault(new Error(`duplicate key ${JSON.stringify(key.slice(0, 100))} at ${pointer.slice(0, 200)}`), [
    { pointer, code: 'duplicate-key', message },
  ]);
}

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (isTooDeep(inner, levels - 1)) return true;
  return false;
}

interface JsonOutline {
  depth: number;
  /** Number of keys in all objects, duplicates included. */
  keys: number;
  /** Number of keys in the object with the most keys. */
  widest: number;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Scans the bytes once. In UTF-8 no byte of a longer character equals one of these. Bytes that are not JSON get some
 * outline; the parser reports their fault.
 */
function outlineOf(bytes: Buffer): JsonOutline {
  const counts: number[] = [0];
  let level = 0;
  let depth = 0;
  let keys = 0;
  let widest = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case quote:
        at = endOfString(bytes, at);
        break;
      case openObject:
      case openList:
        counts[++level] = 0;
        if (level > depth) depth = level;
        break;
      case closeObject:
      case closeList:
        if (level > 0) level--;
        break;
      case colon: {
        const count = (counts[level] as number) + 1;
        counts[level] = count;
        keys++;
        if (count > widest) widest = count;
      }
    }
  }
  return { depth, keys, widest };
}

/** Counts the keys of a parsed value. If its text had more, a key was there twice. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  const keys = Object.keys(value);
  for (const key of keys) count += countKeys((value as Record<string, unknown>)[key]);
  return count + keys.length;
}

interface Open {
  /** Keys found so far; undefined for an array. */
  seen: Set<string> | undefined;
  at: string | number;
}

/** Finds the first key that its object already has. The bytes must be JSON. */
function duplicateKey(bytes: Buffer): { key: string; pointer: string } | undefined {
  const open: Open[] = [];
  let string = '""';
  for (let at = 0; at < bytes.length; at++) {
    const inner = open.at(-1);
    switch (bytes[at]) {
      case quote: {
        const end = endOfString(bytes, at);
        string = bytes.toString('utf8', at, end + 1);
        at = end;
        break;
      }
      case openObject:
        open.push({ seen: new Set(), at: '' });
        break;
      case openList:
        open.push({ seen: undefined, at: 0 });
        break;
      case closeObject:
      case closeList:
        open.pop();
        break;
      case comma:
        if (typeof inner?.at === 'number') inner.at++;
        break;
      case colon: {
        const key = JSON.parse(string) as string;
        if (!inner?.seen) break;
        inner.at = key;
        if (inner.seen.has(key)) return { key, pointer: pointer('', ...open.map((one) => one.at)) };
        inner.seen.add(key);
      }
    }
  }
  return undefined;
}

/** Returns the index of the quote that ends the string, or the end of the bytes if there is none. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; at < bytes.length; at++) {
    const unit = bytes[at];
    if (unit === quote) break;
    if (unit === backslash) at++;
  }
  return at;
}

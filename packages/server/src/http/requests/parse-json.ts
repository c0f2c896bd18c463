/**
 * Reads a JSON body. Before any other code sees it, rejects a body that two readers could read differently, or that
 * costs too much to examine.
 */
import { isUtf8 } from 'node:buffer';
import { defined, HoldpointError, limits, type Problem, thousands } from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';
import { countKeys, duplicateKey, outlineOf } from './json-outline.ts';

/** Deeper than any of our shapes; JSON.stringify would overflow the stack at some thousands. */
const maxDepth = 64;

export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0) return done(null, {});
    if (!isUtf8(bytes)) return done(notUtf8(bytes));
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

function notUtf8(bytes: Buffer): HoldpointError {
  const read = Buffer.from(bytes.toString());
  return asFault(new Error(`it is not valid UTF-8 at byte ${bytes.findIndex((byte, at) => byte !== read[at])}`));
}

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

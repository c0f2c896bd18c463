/** Reads a JSON body: prototype keys and bottomless nesting are refused before anything else looks at it. */
import { HoldpointError } from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';

/** Deeper than any of our shapes; JSON.stringify would overflow the stack at some thousands. */
const maxDepth = 64;

export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) return done(null, {});
    parse(request, text as string, (error, value: unknown) => {
      if (error) return done(asFault(error));
      done(tooDeep(value) ?? null, value);
    });
  });
}

export const tooDeep = (value: unknown): HoldpointError | undefined =>
  isTooDeep(value, maxDepth) ? asFault(new Error(`it is nested more than ${maxDepth} levels deep`)) : undefined;

export const asFault = ({ message }: Error): HoldpointError =>
  new HoldpointError({ code: 'malformed-body', detail: `The body could not be read: ${message}.` });

function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value))
    if (isTooDeep(inner, levels - 1)) return true;
  return false;
}

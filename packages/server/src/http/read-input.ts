/** Checks a request against its route's schemas and reads it, with every problem named. */
import { checkShape, limits, type Problem, type StopSignal } from '@holdpoint/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Caller } from '../domain/caller.ts';
import { invalidInput } from '../operations/invalid-input.ts';
import { type RouteInput, type RouteSpec, takesKey } from './route.ts';

type Check = (value: unknown, at: string) => Problem[];

export type InputReader = (
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
) => RouteInput<unknown, unknown, unknown>;

export function inputReader(route: RouteSpec): InputReader {
  const { method, params, query, body } = route;
  const checkParams = checker(params);
  const checkQuery = checker(query);
  const checkBody = checker(body);
  const numbers = numericProperties(query);
  const hasKey = takesKey(route);
  return (request, reply, caller) => {
    const readQuery = withNumbers(request.query as Record<string, unknown>, numbers);
    const readBody = request.body === undefined ? {} : request.body;
    const problems = [
      ...checkParams(request.params, '/path'),
      ...checkQuery(readQuery, '/query'),
      ...(method === 'GET' ? [] : checkBody(readBody, '')),
    ];
    if (problems.length > 0) throw invalidInput(problems);
    return {
      params: request.params,
      query: readQuery,
      body: readBody,
      caller,
      write: hasKey ? readWrite(request) : {},
      ...(request.headers.origin === undefined ? {} : { origin: request.headers.origin }),
      signal: () => new CallerGone(reply.raw),
    };
  };
}

const empty: TObject = { type: 'object', properties: {}, additionalProperties: false } as unknown as TObject;

/** The compiled check says whether; only a refusal pays for finding out why. What is never called is never compiled. */
function checker(schema: TObject = empty): Check {
  let compiled: ReturnType<typeof Compile> | undefined;
  return (value, at) => {
    compiled ??= Compile(schema);
    return compiled.Check(value) ? [] : checkShape(schema, value, at);
  };
}

function numericProperties(schema: TObject | undefined): string[] {
  return Object.entries(schema?.properties ?? {})
    .filter(([, property]) => (property as { type?: unknown }).type === 'integer')
    .map(([name]) => name);
}

function withNumbers(query: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const read = { ...query };
  for (const name of names) {
    const value = read[name];
    if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) read[name] = Number(value);
  }
  return read;
}

function readWrite(request: FastifyRequest): { idempotencyKey?: string } {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return {};
  if (
    typeof key === 'string' &&
    key.length > 0 &&
    key.length <= limits.idempotencyKeyLength &&
    /^[\x21-\x7e]+$/.test(key)
  )
    return { idempotencyKey: key };
  const message = `Send at most ${limits.idempotencyKeyLength} printable characters without spaces.`;
  throw invalidInput([{ pointer: '/headers/idempotency-key', code: 'format', message }]);
}

/**
 * The close of a response as a signal: a listener while somebody waits, and no AbortController for each of ten thousand.
 * A request closes as soon as its body is read.
 */
class CallerGone implements StopSignal {
  readonly #raw: FastifyReply['raw'];

  constructor(raw: FastifyReply['raw']) {
    this.#raw = raw;
  }

  get aborted(): boolean {
    return this.#raw.destroyed;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#raw.on('close', listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#raw.off('close', listener);
  }
}

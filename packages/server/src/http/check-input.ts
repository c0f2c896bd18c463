/** Checks what a route is sent against its schemas, whoever brings it, with every problem named. */
import { checkShape, limits, type Problem } from '@holdpoint/protocol';
import type { TObject } from 'typebox';
import { invalidInput } from '../operations/invalid-input.ts';
import type { RouteSpec } from '../routes/route.ts';

interface Sent {
  params: unknown;
  query: Record<string, unknown>;
  body: unknown;
}

type Check = (value: unknown, at: string) => Problem[];

/** Gives what was sent with the numbers of its query read. */
export function inputCheck({ method, params, query, body }: RouteSpec): (sent: Sent) => Sent {
  const checkParams = checker(params);
  const checkQuery = checker(query);
  const checkBody = checker(body);
  const numbers = numericProperties(query);
  return (sent) => {
    const readQuery = withNumbers(sent.query, numbers);
    const problems = [
      ...checkParams(sent.params, '/path'),
      ...checkQuery(readQuery, '/query'),
      ...(method === 'GET' ? [] : checkBody(sent.body, '')),
    ];
    if (problems.length > 0) throw invalidInput(problems);
    return { params: sent.params, query: readQuery, body: sent.body };
  };
}

export function checkedKey(key: unknown): { idempotencyKey?: string } {
  if (key === undefined) return {};
  if (
    typeof key === 'string' &&
    key.length > 0 &&
    key.length <= limits.idempotencyKeyLength &&
    /^[\x21-\x7e]+$/.test(key)
  )
    return { idempotencyKey: key };
  const message = `Send at most ${limits.idempotencyKeyLength} printable characters without spaces.`;
  const code = key === '' ? 'min-length' : 'format';
  throw invalidInput([{ pointer: '/headers/idempotency-key', code, message }]);
}

const empty: TObject = { type: 'object', properties: {}, additionalProperties: false } as unknown as TObject;

const checker =
  (schema: TObject = empty): Check =>
  (value, at) =>
    checkShape(schema, value, at);

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

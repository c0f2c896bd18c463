/** The journal keeps JSON. Other values are rejected where they arise, not where they are read months later. */
import { checkJson, checkShape, fail, limits, sentenceOf } from '@holdpoint/protocol';

/** A value is one level deep in the data of its entry, which needs some room for other properties. */
const bounds = { maxBytes: limits.journalEntryBytes - 4_096, maxDepth: limits.jsonDepth - 1 };

/** Returns the value as the journal will give it back, so that the function sees the same now and at every replay. */
export function asJson<T>(value: T, what: string): T {
  if (value === undefined) return value;
  const read = copyJson(value, `${what} gave`);
  const [problem] = checkJson(read, bounds);
  if (!problem) return read;
  const place = problem.pointer === '' ? '' : ` at ${problem.pointer}`;
  throw new RangeError(`${what} gave what cannot be kept${place}: ${problem.message}`);
}

/** Reports whether a record can be kept whole. Otherwise its id is kept, and a replay reads the record again. */
export const fitsEntry = (record: unknown): boolean => checkJson(record, bounds).length === 0;

/** Checks the value like the HTTP API, because a service in this process does not. */
export function checked(schema: Parameters<typeof checkShape>[0], value: unknown, what: string): unknown {
  const read = copyJson(value, `${what} has`);
  const problems = checkShape(schema, read);
  return problems.length === 0 ? read : fail('invalid-input', sentenceOf(problems), { problems });
}

function copyJson<T>(value: T, subject: string): T {
  const odd = findOdd(value, '', new Set());
  if (odd) throw new TypeError(`${subject} ${odd}, which is not JSON.`);
  return JSON.parse(JSON.stringify(value));
}

/** Returns the part of the value that is not JSON, and its place. Undefined properties are ignored. */
function findOdd(value: unknown, at: string, around: Set<object>): string | undefined {
  const place = at === '' ? '' : ` at ${at}`;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value}${place}`;
  if (typeof value !== 'object') return `a ${typeof value}${place}`;
  if (around.has(value)) return `a circle${place}`;
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) return `a ${value.constructor?.name ?? 'class'}${place}`;
  around.add(value);
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined && !isList) continue;
    const odd = findOdd(inner, `${at}/${key}`, around);
    if (odd) return odd;
  }
  around.delete(value);
  return undefined;
}

/** Also accepts objects of another realm, whose `Object` is another one. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

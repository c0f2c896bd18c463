/** What a journal keeps is JSON, and what is not is refused where it arises, not where it is read months later. */
import { checkJson, checkShape, fail, limits, sentenceOf } from '@holdpoint/protocol';

/** Values stand one level deep in the data of an entry, with some room beside them. */
const bounds = { maxBytes: limits.journalEntryBytes - 4_096, maxDepth: limits.jsonDepth - 1 };

/** As it will be read again, so that the function sees the same now and at every replay. */
export function asJson<T>(value: T, what: string): T {
  if (value === undefined) return value;
  const odd = findOdd(value, '', new Set());
  if (odd) throw new TypeError(`${what} gave ${odd}, which is not JSON.`);
  const read = copy(value);
  const [problem] = checkJson(read, bounds);
  if (!problem) return read;
  const place = problem.pointer === '' ? '' : ` at ${problem.pointer}`;
  throw new RangeError(`${what} gave what cannot be kept${place}: ${problem.message}`);
}

/** Whether a record can be kept as it stands; otherwise its id is, and it is read again at a replay. */
export const fitsEntry = (record: unknown): boolean => checkJson(record, bounds).length === 0;

/** As it would be sent: a service in this process does not look at the shape of what it is given. */
export function checked(schema: Parameters<typeof checkShape>[0], value: unknown, what: string): unknown {
  const odd = findOdd(value, '', new Set());
  if (odd) throw new TypeError(`${what} has ${odd}, which is not JSON.`);
  const read = copy(value);
  const problems = checkShape(schema, read);
  return problems.length === 0 ? read : fail('invalid-input', sentenceOf(problems), { problems });
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** What of the value is not JSON, and where. Properties that are undefined are as if they were not there. */
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

/** Also one of another realm, whose Object is not ours. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

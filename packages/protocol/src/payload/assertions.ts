/** The keywords that check the value itself: type, enum, lengths, bounds, counts. */

import { article } from '../check-schema.ts';
import { readDate, readDatetime } from '../fields/calendar.ts';
import { isMultipleOf } from '../fields/check-number.ts';
import { codePoints, isEmail } from '../fields/check-text.ts';
import { isObject, jsonEqual } from '../json.ts';
import { type Problem, pointer } from '../problem.ts';
import { complaint, matches, type Run } from './run.ts';
import type { SchemaObject } from './schema-object.ts';

type Complain = (code: string, sentence: string, where?: string) => void;

export function checkAssertions(schema: SchemaObject, value: unknown, at: string, run: Run): Problem[] {
  const problems: Problem[] = [];
  const complain: Complain = (code, sentence, where = at) => {
    problems.push(complaint(run, schema, where, code, sentence));
  };
  if (schema.type !== undefined) {
    const types = [schema.type].flat();
    if (!types.some((type) => isOfType(type, value))) complain('type', `must be ${types.map(article).join(' or ')}.`);
  }
  const equals = (expected: unknown) => jsonEqual(expected, value, () => run.spend(1));
  if (schema.enum && !schema.enum.some(equals)) complain('enum', `must be ${oneOf(schema.enum)}.`);
  if (Object.hasOwn(schema, 'const') && !equals(schema.const)) complain('const', `must be ${oneOf([schema.const])}.`);
  if (typeof value === 'string') checkString(schema, value, run, complain);
  if (typeof value === 'number') checkBounds(schema, numberBounds, () => value, complain);
  if (Array.isArray(value)) checkArray(schema, value, run, complain);
  if (isObject(value)) checkObject(schema, value, at, run, complain);
  return problems;
}

/** A keyword whose argument is a number: reports whether the measured number breaks it, and says what is required. */
type Bound = [keyword: keyof SchemaObject, isBroken: (measured: number, bound: number) => boolean, sentence: string];

const numberBounds: Bound[] = [
  ['minimum', (value, bound) => value < bound, 'must be # or more.'],
  ['maximum', (value, bound) => value > bound, 'must be # or less.'],
  ['exclusiveMinimum', (value, bound) => value <= bound, 'must be more than #.'],
  ['exclusiveMaximum', (value, bound) => value >= bound, 'must be less than #.'],
  ['multipleOf', (value, bound) => !isMultipleOf(value, bound), 'must be a multiple of #.'],
];

const countBounds = (noun: 'Length' | 'Items' | 'Properties', things: string): Bound[] => [
  [`min${noun}`, (count, bound) => count < bound, `must have at least # ${things}.`],
  [`max${noun}`, (count, bound) => count > bound, `may have at most # ${things}.`],
];
const lengthBounds = countBounds('Length', 'characters');
const itemBounds = countBounds('Items', 'items');
const propertyBounds = countBounds('Properties', 'properties');

/** Measures only if there is a bound, because counting takes time. */
function checkBounds(schema: SchemaObject, bounds: Bound[], measure: () => number, complain: Complain): void {
  const given = bounds.filter(([keyword]) => schema[keyword] !== undefined);
  if (given.length === 0) return;
  const measured = measure();
  for (const [keyword, isBroken, sentence] of given) {
    const bound = schema[keyword] as number;
    if (isBroken(measured, bound)) complain(keyword, sentence.replace('#', String(bound)));
  }
}

function checkString(schema: SchemaObject, value: string, run: Run, complain: Complain): void {
  const { pattern, format } = schema;
  run.spend(Math.ceil(value.length / 50));
  checkBounds(schema, lengthBounds, () => codePoints(value), complain);
  if (pattern !== undefined && !matches(run, pattern, value)) complain('pattern', `must match ${pattern}.`);
  const test = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (test && !test(value)) complain('format', `must be in the format ${format}.`);
}

function checkArray(schema: SchemaObject, value: unknown[], run: Run, complain: Complain): void {
  checkBounds(schema, itemBounds, () => value.length, complain);
  if (!schema.uniqueItems) return;
  const seen = new Set(value.map((item) => canonical(item, run)));
  if (seen.size < value.length) complain('uniqueItems', 'must not contain the same item twice.');
}

function checkObject(
  schema: SchemaObject,
  value: Record<string, unknown>,
  at: string,
  run: Run,
  complain: Complain,
): void {
  const missing = (names: string[]) => {
    run.spend(names.length);
    for (const name of names) {
      if (!Object.hasOwn(value, name)) complain('required', `needs the property ${name}.`, pointer(at, name));
    }
  };
  missing(schema.required ?? []);
  for (const [name, needed] of Object.entries(schema.dependentRequired ?? {})) {
    run.spend(1);
    if (Object.hasOwn(value, name)) missing(needed);
  }
  const count = () => {
    const { length } = Object.keys(value);
    run.spend(length);
    return length;
  };
  checkBounds(schema, propertyBounds, count, complain);
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Only equal values have the same text. */
function canonical(value: unknown, run: Run): string {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
  run.spend(1 + Math.ceil(text.length / 10));
  return text;
}

const listed = 5;

/** Shows only scalars. To write out a large constant for every wrong item would be work that nothing counts. */
export function oneOf(values: unknown[]): string {
  const texts = values.slice(0, listed).map((value) => {
    if (isObject(value)) return '{…}';
    return Array.isArray(value) ? '[…]' : String(value).slice(0, 200);
  });
  return `${values.length > 1 ? 'one of ' : ''}${texts.join(', ')}${values.length > listed ? ', …' : ''}`;
}

const uri = /^[a-z][a-z0-9+.-]*:[!#-;=?-[\]_a-z~%]*$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The formats that are checked. JSON Schema treats any other as a note to the reader. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => readDate(text) !== undefined,
  'date-time': (text) => readDatetime(text.toUpperCase()) !== undefined,
  time: (text) => readDatetime(`2000-01-01T${text.toUpperCase()}`) !== undefined,
  email: isEmail,
  uri: (text) => uri.test(text),
  uuid: (text) => uuid.test(text),
};

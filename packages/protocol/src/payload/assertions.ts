/** The keywords that look at the value itself: type, enum, lengths, bounds, counts. */

import { codePoints } from '../fields/check-text.ts';
import { isMultipleOf } from '../fields/check-value.ts';
import { isObject, jsonEqual } from '../json.ts';
import { type Problem, pointer } from '../problem.ts';
import { formats } from './formats.ts';
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
  if (typeof value === 'number') checkNumber(schema, value, complain);
  if (Array.isArray(value)) checkArray(schema, value, run, complain);
  if (isObject(value)) checkObject(schema, value, at, run, complain);
  return problems;
}

function checkString(schema: SchemaObject, value: string, run: Run, complain: Complain): void {
  const { minLength, maxLength, pattern, format } = schema;
  run.spend(Math.ceil(value.length / 50));
  const length = minLength === undefined && maxLength === undefined ? 0 : codePoints(value);
  if (minLength !== undefined && length < minLength)
    complain('minLength', `must have at least ${minLength} characters.`);
  if (maxLength !== undefined && length > maxLength) complain('maxLength', `may have at most ${maxLength} characters.`);
  if (pattern !== undefined && !matches(run, pattern, value)) complain('pattern', `must match ${pattern}.`);
  const test = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (test && !test(value)) complain('format', `must be in the format ${format}.`);
}

function checkNumber(schema: SchemaObject, value: number, complain: Complain): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (minimum !== undefined && value < minimum) complain('minimum', `must be ${minimum} or more.`);
  if (maximum !== undefined && value > maximum) complain('maximum', `must be ${maximum} or less.`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    complain('exclusiveMinimum', `must be more than ${exclusiveMinimum}.`);
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    complain('exclusiveMaximum', `must be less than ${exclusiveMaximum}.`);
  }
  if (multipleOf !== undefined && !isMultipleOf(value, multipleOf)) {
    complain('multipleOf', `must be a multiple of ${multipleOf}.`);
  }
}

function checkArray(schema: SchemaObject, value: unknown[], run: Run, complain: Complain): void {
  const { minItems, maxItems, uniqueItems } = schema;
  if (minItems !== undefined && value.length < minItems) complain('minItems', `must have at least ${minItems} items.`);
  if (maxItems !== undefined && value.length > maxItems) complain('maxItems', `may have at most ${maxItems} items.`);
  if (!uniqueItems) return;
  const seen = new Set(value.map((item) => canonical(item, run)));
  if (seen.size < value.length) complain('uniqueItems', 'may not hold the same item twice.');
}

function checkObject(
  schema: SchemaObject,
  value: Record<string, unknown>,
  at: string,
  run: Run,
  complain: Complain,
): void {
  const { minProperties, maxProperties, required = [], dependentRequired } = schema;
  const missing = (names: string[]) => {
    run.spend(names.length);
    for (const name of names) {
      if (!Object.hasOwn(value, name)) complain('required', `needs the property ${name}.`, pointer(at, name));
    }
  };
  missing(required);
  for (const [name, needed] of Object.entries(dependentRequired ?? {})) {
    run.spend(1);
    if (Object.hasOwn(value, name)) missing(needed);
  }
  if (minProperties === undefined && maxProperties === undefined) return;
  const count = Object.keys(value).length;
  run.spend(count);
  if (minProperties !== undefined && count < minProperties)
    complain('minProperties', `must have at least ${minProperties} properties.`);
  if (maxProperties !== undefined && count > maxProperties)
    complain('maxProperties', `may have at most ${maxProperties} properties.`);
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

/** Equal values, and only those, have the same text. */
function canonical(value: unknown, run: Run): string {
  const text = JSON.stringify(value, (_key, item: unknown) =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item,
  );
  run.spend(1 + Math.ceil(text.length / 10));
  return text;
}

const article = (type: string) => (type === 'null' ? type : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

const listed = 5;

/** Shows scalars only: writing out a large constant for every item that misses it would be work nobody counts. */
export function oneOf(values: unknown[]): string {
  const texts = values.slice(0, listed).map((value) => {
    if (isObject(value)) return '{…}';
    return Array.isArray(value) ? '[…]' : String(value).slice(0, 200);
  });
  return `${values.length > 1 ? 'one of ' : ''}${texts.join(', ')}${values.length > listed ? ', …' : ''}`;
}

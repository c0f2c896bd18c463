/** Checks what the schema of a field cannot: bounds in order, different options, patterns that compile, valid defaults. */
import { checkJson } from '../json.ts';
import { limits } from '../limits.ts';
import { matchesPattern, patternFault } from '../pattern.ts';
import { type Problem, pointer, problem } from '../problem.ts';
import { mustBeSeen } from '../visible-text.ts';
import { calendarReaders } from './calendar.ts';
import { checkValue } from './check-value.ts';
import type { CalendarField, Field, InputField } from './field.ts';
import type { Option } from './field-types.ts';
import { isInputField, isSecretField } from './input-field.ts';
import { isEmptyValue } from './visible-fields.ts';

const forbiddenNames = ['__proto__', 'constructor', 'prototype'];

export function checkField(field: Field, at: string): Problem[] {
  const bounds = { maxBytes: limits.jsonBytes, maxDepth: limits.jsonDepth };
  const problems = field.meta ? checkJson(field.meta, bounds, pointer(at, 'meta')) : [];
  problems.push(...checkTexts(field, at));
  if (!isInputField(field)) return problems;
  problems.push(...checkName(field.name, pointer(at, 'name')), ...checkOrder(field, at));
  if ('options' in field) problems.push(...checkOptions(field.options, pointer(at, 'options')));
  if ('pattern' in field && field.pattern !== undefined) {
    const fault = patternFault(field.pattern);
    if (fault)
      problems.push(problem(pointer(at, 'pattern'), 'pattern', `This pattern is not a valid RE2 pattern: ${fault}.`));
  }
  // A field that is not valid itself cannot check its default.
  return problems.length > 0 ? problems : checkDefault(field, pointer(at, 'default'));
}

/** Checks that a person can see something in each text of the field. */
const checkTexts = (field: Field, at: string): Problem[] =>
  (['label', 'text', 'confirmLabel', 'denyLabel'] as const).flatMap((key) =>
    mustBeSeen(
      (field as Partial<Record<typeof key, string>>)[key],
      pointer(at, key),
      'The text has no visible characters.',
    ),
  );

function checkName(name: string, at: string): Problem[] {
  const blank = mustBeSeen(name, at, 'The name of the field has no visible characters.');
  if (blank.length > 0 || !forbiddenNames.includes(name.trim())) return blank;
  return [problem(at, 'forbidden-name', `No field may be named ${name.trim()}.`)];
}

function checkOptions(options: Option[], at: string): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [index, { value, label }] of options.entries()) {
    const where = pointer(at, index, 'value');
    problems.push(
      ...mustBeSeen(value, where, 'The value of the option has no visible characters.'),
      ...mustBeSeen(label, pointer(at, index, 'label'), 'The label of the option has no visible characters.'),
    );
    if (seen.has(value))
      problems.push(problem(where, 'duplicate', `The option ${JSON.stringify(value)} appears twice.`));
    seen.add(value);
  }
  return problems;
}

const bounds = [
  ['min', 'max'],
  ['minLength', 'maxLength'],
  ['minSelections', 'maxSelections'],
] as const;

/** Checks the bounds that the field has, whatever its type. */
function checkOrder(field: InputField, at: string): Problem[] {
  if (isCalendarField(field)) return checkCalendarBounds(field, at);
  if (field.type === 'multi_select' && (field.minSelections ?? 0) > field.options.length) {
    const message = 'minSelections is greater than the number of options.';
    return [problem(pointer(at, 'minSelections'), 'min-selections', message)];
  }
  const given = field as unknown as Partial<Record<string, number>>;
  return bounds.flatMap(([low, high]) => ordered(low, given[low], high, given[high], at));
}

const isCalendarField = (field: InputField): field is CalendarField => Object.hasOwn(calendarReaders, field.type);

function checkCalendarBounds(field: CalendarField, at: string): Problem[] {
  const read = calendarReaders[field.type];
  const [min, max] = [read(field.min ?? ''), read(field.max ?? '')];
  const unread = Object.entries({ min, max }).filter(
    ([key, time]) => time === undefined && field[key as 'min' | 'max'] !== undefined,
  );
  if (unread.length === 0) return ordered('min', min, 'max', max, at);
  return unread.map(([key]) => problem(pointer(at, key), field.type, `This is not a ${field.type}.`));
}

function ordered(low: string, min: number | undefined, high: string, max: number | undefined, at: string): Problem[] {
  if (min === undefined || max === undefined || min <= max) return [];
  return [problem(pointer(at, low), 'order', `${low} may not be more than ${high}.`)];
}

function checkDefault(field: InputField, at: string): Problem[] {
  if (!('default' in field) || field.default === undefined) return [];
  if (isSecretField(field)) return [problem(at, 'secret-default', 'A secret field cannot have a default.')];
  return isEmptyValue(field.default) ? [] : checkValue(field, field.default, at, matchesPattern);
}

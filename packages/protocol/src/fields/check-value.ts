/** Checks one present value against its field: every type and every constraint. */
import { answerLimits } from '../answer-limits.ts';
import type { PatternMatcher } from '../pattern.ts';
import { fieldProblem, type Problem, pointer } from '../problem.ts';
import { calendarReaders } from './calendar.ts';
import { checkText, codePoints } from './check-text.ts';
import { checkUpload } from './check-upload.ts';
import type { CalendarField, ChoiceField, FieldOf, InputField, MultiSelectField, Option } from './field.ts';

export function checkValue(field: InputField, value: unknown, at: string, matches: PatternMatcher): Problem[] {
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'email':
    case 'tel':
    case 'url':
    case 'password':
      return checkText(field, value, at, matches);
    case 'number':
      return checkNumber(field, value, at);
    case 'rating':
      return checkRating(field, value, at);
    case 'date':
    case 'time':
    case 'datetime':
      return checkCalendar(field, value, at);
    case 'checkbox':
    case 'confirm':
      return typeof value === 'boolean' ? [] : [fieldProblem(field, at, 'type', 'answer true or false.')];
    case 'select':
    case 'radio':
      if (isOption(field.options, value)) return [];
      return [fieldProblem(field, at, 'option', `choose one of ${optionList(field)}.`)];
    case 'multi_select':
      return checkSelections(field, value, at);
    case 'file_upload':
    case 'image_upload':
    case 'signature':
      return checkUpload(field, value, at);
    case 'custom':
      return checkCustom(field, value, at);
  }
}

function checkNumber(field: FieldOf<'number'>, value: unknown, at: string): Problem[] {
  const complain = (code: string, sentence: string) => fieldProblem(field, at, code, sentence);
  if (typeof value !== 'number' || !Number.isFinite(value)) return [complain('type', 'enter a number.')];
  const problems: Problem[] = [];
  if (field.integer && !Number.isInteger(value)) problems.push(complain('integer', 'enter a whole number.'));
  if (field.min !== undefined && value < field.min) problems.push(complain('min', `enter ${field.min} or more.`));
  if (field.max !== undefined && value > field.max) problems.push(complain('max', `enter ${field.max} or less.`));
  if (field.step !== undefined && !isMultipleOf(value - (field.min ?? 0), field.step)) {
    const from = field.min ? ` from ${field.min}` : '';
    problems.push(complain('step', `enter a number in steps of ${field.step}${from}.`));
  }
  return problems;
}

export const defaultStars = 5;

function checkRating(field: FieldOf<'rating'>, value: unknown, at: string): Problem[] {
  const stars = field.maxStars ?? defaultStars;
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= stars) return [];
  return [fieldProblem(field, at, 'rating', `give a rating from 1 to ${stars}.`)];
}

/** Binary fractions do not divide evenly (0.3 % 0.1 is 0.0999…), so there is a tolerance. TypeBox has the same. */
export function isMultipleOf(value: number, step: number): boolean {
  if (Number.isInteger(value) && (1 / step) % 1 === 0) return true;
  const rest = Math.abs(value % step);
  return Math.min(rest, step - rest) < 1e-10;
}

const calendarExamples = {
  date: 'a date such as 2030-01-31',
  time: 'a time such as 14:30',
  datetime: 'a date and time with offset such as 2030-01-31T14:30:00Z',
};

function checkCalendar(field: CalendarField, value: unknown, at: string): Problem[] {
  const complain = (code: string, sentence: string) => [fieldProblem(field, at, code, sentence)];
  const read = calendarReaders[field.type];
  const given = typeof value === 'string' ? read(value) : undefined;
  if (given === undefined) return complain(field.type, `enter ${calendarExamples[field.type]}.`);
  const [min, max] = [read(field.min ?? ''), read(field.max ?? '')];
  if (min !== undefined && given < min) return complain('min', `enter ${field.min} or later.`);
  if (max !== undefined && given > max) return complain('max', `enter ${field.max} or earlier.`);
  return [];
}

function checkSelections(field: MultiSelectField, value: unknown, at: string): Problem[] {
  const complain = (code: string, sentence: string, where = at) => fieldProblem(field, where, code, sentence);
  if (!Array.isArray(value)) return [complain('type', `choose from ${optionList(field)}, as a list.`)];
  const problems: Problem[] = [];
  const { minSelections: min = 0, maxSelections: max = field.options.length } = field;
  if (value.length < min) problems.push(complain('min-selections', `choose at least ${min}.`));
  if (value.length > max) problems.push(complain('max-selections', `choose at most ${max}.`));
  // A longer list has duplicates or unknown values for certain. One problem for each of them would not help.
  if (value.length > field.options.length)
    return problems.length > 0 ? problems : [complain('duplicate', 'choose each option only once.')];
  const seen = new Set<unknown>();
  for (const [index, item] of value.entries()) {
    if (!isOption(field.options, item)) {
      problems.push(complain('option', `choose only from ${optionList(field)}.`, pointer(at, index)));
    } else if (seen.has(item)) {
      problems.push(complain('duplicate', 'choose each option only once.', pointer(at, index)));
    }
    seen.add(item);
  }
  return problems;
}

const isOption = (options: Option[], value: unknown) => options.some((option) => option.value === value);

/** The most options in a message. */
const listed = 5;

function optionList({ options }: ChoiceField): string {
  const labels = options.slice(0, listed).map((option) => option.label);
  return labels.join(', ') + (options.length > listed ? ', …' : '');
}

/** A custom field takes one value of any plain type. */
function checkCustom(field: FieldOf<'custom'>, value: unknown, at: string): Problem[] {
  if (typeof value === 'boolean' || Number.isFinite(value)) return [];
  if (typeof value !== 'string') return [fieldProblem(field, at, 'type', 'give a text, a number, or true or false.')];
  if (codePoints(value) <= answerLimits.textLength) return [];
  return [fieldProblem(field, at, 'max-length', `enter at most ${answerLimits.textLength} characters.`)];
}

/** Checks one present value against its field: every type and every constraint. */
import { answerLimits } from '../answer-limits.ts';
import type { PatternMatcher } from '../pattern.ts';
import { fieldProblem, type NamedField, type Problem, pointer } from '../problem.ts';
import { calendarReaders } from './calendar.ts';
import { checkNumber, checkRating } from './check-number.ts';
import { checkText, codePoints } from './check-text.ts';
import { checkUpload } from './check-upload.ts';
import type {
  CalendarField,
  ChoiceField,
  FieldOf,
  FieldType,
  InputField,
  InputType,
  MultiSelectField,
} from './field.ts';
import type { Option } from './field-types.ts';

type Check<F> = (field: F, value: unknown, at: string, matches: PatternMatcher) => Problem[];

/** Returns the problems of the value. Widgets run it too, so it needs nothing of `field-types.ts` but types. */
const checks: { [T in InputType]: Check<FieldOf<T>> } = {
  text: checkText,
  textarea: checkText,
  email: checkText,
  tel: checkText,
  url: checkText,
  password: checkText,
  number: checkNumber,
  date: checkCalendar,
  time: checkCalendar,
  datetime: checkCalendar,
  checkbox: checkBoolean,
  confirm: checkBoolean,
  select: checkOption,
  radio: checkOption,
  multi_select: checkSelections,
  rating: checkRating,
  file_upload: checkUpload,
  image_upload: checkUpload,
  signature: checkUpload,
  custom: checkCustom,
};

export const checkValue: Check<InputField> = (field, value, at, matches) =>
  (checks[field.type] as Check<InputField>)(field, value, at, matches);

/** Ends the message about a required field without a value. Other types say "fill this in." */
export const missing: Partial<Record<FieldType, string>> = {
  select: 'choose an option.',
  radio: 'choose an option.',
  multi_select: 'choose an option.',
  checkbox: 'answer yes or no.',
  confirm: 'answer yes or no.',
  rating: 'give a rating.',
  file_upload: 'attach a file.',
  image_upload: 'attach a file.',
  signature: 'sign here.',
};

const calendarExamples: Record<CalendarField['type'], string> = {
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

function checkBoolean(field: NamedField, value: unknown, at: string): Problem[] {
  return typeof value === 'boolean' ? [] : [fieldProblem(field, at, 'type', 'answer true or false.')];
}

function checkOption(field: FieldOf<'select' | 'radio'>, value: unknown, at: string): Problem[] {
  if (isOption(field.options, value)) return [];
  return [fieldProblem(field, at, 'option', `choose one of ${optionList(field)}.`)];
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

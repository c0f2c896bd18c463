/** Checks the value of a date, time or datetime field. */
import type { Problem } from '../problem.ts';
import { calendarReaders } from './calendar.ts';
import type { CalendarField } from './calendar-fields.ts';
import { fieldProblem } from './field-problem.ts';

const examples = {
  date: 'a date such as 2030-01-31',
  time: 'a time such as 14:30',
  datetime: 'a date and time with offset such as 2030-01-31T14:30:00Z',
};

export function checkCalendarValue(field: CalendarField, value: unknown, at: string): Problem[] {
  const complain = (code: string, sentence: string) => [fieldProblem(field, at, code, sentence)];
  const read = calendarReaders[field.type];
  const moment = typeof value === 'string' ? read(value) : undefined;
  if (moment === undefined) return complain(field.type, `enter ${examples[field.type]}.`);
  const [min, max] = [read(field.min ?? ''), read(field.max ?? '')];
  if (min !== undefined && moment < min) return complain('min', `enter ${field.min} or later.`);
  if (max !== undefined && moment > max) return complain('max', `enter ${field.max} or earlier.`);
  return [];
}

/** Checks the value of a number or a rating. */
import { fieldProblem, type NamedField, type Problem } from '../problem.ts';

interface NumberField extends NamedField {
  integer?: boolean;
  min?: number;
  max?: number;
  step?: number;
}

export function checkNumber(field: NumberField, value: unknown, at: string): Problem[] {
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

export function checkRating(field: NamedField & { maxStars?: number }, value: unknown, at: string): Problem[] {
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

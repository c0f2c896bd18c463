/** Checks the value of a custom field: one value of any plain type. */
import { answerLimits } from '../answer-limits.ts';
import type { Problem } from '../problem.ts';
import { codePoints } from './check-text.ts';
import type { CustomField } from './custom-field.ts';
import { fieldProblem } from './field-problem.ts';

export function checkCustom(field: CustomField, value: unknown, at: string): Problem[] {
  if (typeof value === 'boolean' || Number.isFinite(value)) return [];
  if (typeof value !== 'string') return [fieldProblem(field, at, 'type', 'give a text, a number, or true or false.')];
  if (codePoints(value) <= answerLimits.textLength) return [];
  return [fieldProblem(field, at, 'max-length', `enter at most ${answerLimits.textLength} characters.`)];
}

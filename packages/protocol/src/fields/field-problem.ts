import type { Problem } from '../problem.ts';
import type { InputField } from './field.ts';

/** A problem of one field's value; the sentence begins with the label the person sees. */
export function fieldProblem(field: InputField, at: string, code: string, sentence: string): Problem {
  return { pointer: at, code, message: `${field.label ?? field.name}: ${sentence}` };
}

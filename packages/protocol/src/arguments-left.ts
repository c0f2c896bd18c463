/** The arguments of a question as the answer left them. */
import { isEmptyValue, visibleFields } from './fields/visible-fields.ts';
import type { FreeObject } from './free-json.ts';
import type { Question } from './question.ts';

type Named = { name?: string };

/**
 * Returns the proposed arguments with the values that the person filled in, and without those that the person emptied.
 * The value of `pick`, the field that decides, is not an argument; an argument may have the same name.
 */
export function argumentsLeft(
  question: Pick<Question, 'fields' | 'arguments'>,
  values: Readonly<FreeObject>,
  pick: string,
): FreeObject {
  const { [pick]: _picked, ...given } = values;
  const left: FreeObject = { ...question.arguments, ...given };
  for (const { name } of visibleFields(question.fields, values) as Named[])
    if (name && !Object.hasOwn(values, name) && !isEmptyValue(left[name])) delete left[name];
  return left;
}

/** The validator of answers, without a pattern engine of its own: the browser loads re2js only when a field needs it. */
import { answerLimits } from '../answer-limits.ts';
import { checkJson, isObject } from '../json.ts';
import type { PatternMatcher } from '../pattern.ts';
import { boundProblems, fieldProblem, type Problem, pointer, problem } from '../problem.ts';
import { checkValue, missing } from './check-value.ts';
import type { Field, FieldValue, Values } from './field.ts';
import { isInputField } from './input-field.ts';
import { ownValue, visibleFields } from './visible-fields.ts';

export type ValidatedValues = { ok: true; values: Values } | { ok: false; problems: Problem[] };
export type ValuesValidator = (fields: readonly Field[], values: unknown, at?: string) => ValidatedValues;

export function valuesValidator(matches: PatternMatcher): ValuesValidator {
  return (fields, values, at = '/values') => {
    if (!isObject(values))
      return refuse(problem(at, 'type', 'Send the values as an object, one property for each field.'));
    const oversize = checkJson(values, { maxBytes: answerLimits.valuesBytes, maxDepth: answerLimits.jsonDepth }, at);
    if (oversize.length > 0) return refuse(...oversize);

    const problems: Problem[] = unknownNames(fields, values, at);
    const entries: [string, FieldValue][] = [];
    for (const field of visibleFields(fields, values).filter(isInputField)) {
      const value = ownValue(values, field.name);
      const where = pointer(at, field.name);
      if (value === undefined || (field.required && isBlank(value))) {
        if (field.required)
          problems.push(fieldProblem(field, where, 'required', missing[field.type] ?? 'fill this in.'));
        continue;
      }
      const found = checkValue(field, value, where, matches);
      if (found.length === 0) entries.push([field.name, value as FieldValue]);
      problems.push(...found);
    }
    // Object.fromEntries defines own properties, so a field may be named toString.
    return problems.length === 0 ? { ok: true, values: Object.fromEntries(entries) } : refuse(...problems);
  };
}

const refuse = (...problems: Problem[]): ValidatedValues => ({
  ok: false,
  problems: boundProblems(problems),
});

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

function unknownNames(fields: readonly Field[], values: object, at: string): Problem[] {
  const known = new Set(fields.map((field) => (isInputField(field) ? field.name : undefined)));
  return Object.keys(values)
    .filter((name) => !known.has(name))
    .slice(0, answerLimits.problems + 1)
    .map((name) =>
      problem(pointer(at, name), 'unknown-field', `There is no field named ${JSON.stringify(name.slice(0, 100))}.`),
    );
}

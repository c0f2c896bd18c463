/** Checks the visibleIf of all fields together: rules name fields that exist, and never in a circle. */
import { type Problem, pointer } from '../problem.ts';
import type { Field } from './field.ts';
import { isInputField } from './input-field.ts';
import type { VisibleIfRule } from './visible-if.ts';

export function checkVisibleIf(fields: readonly Field[], at: string): Problem[] {
  const names = new Set(fields.filter(isInputField).map((field) => field.name));
  const problems: Problem[] = [];
  for (const [index, field] of fields.entries()) {
    for (const [number, rule] of (field.visibleIf?.all_of ?? []).entries()) {
      const where = pointer(at, index, 'visibleIf', 'all_of', number);
      if (!names.has(rule.field)) {
        problems.push({
          pointer: pointer(where, 'field'),
          code: 'unknown-field',
          message: `There is no field named ${JSON.stringify(rule.field)} that takes a value.`,
        });
      }
      const fault = valueFault(rule);
      if (fault) problems.push({ pointer: pointer(where, 'value'), code: 'rule-value', message: fault });
    }
  }
  return [...problems, ...cycles(fields, at)];
}

function valueFault({ op, value }: VisibleIfRule): string | undefined {
  if (op === 'in' || op === 'not_in') return Array.isArray(value) ? undefined : `The value of ${op} must be an array.`;
  if (op === 'empty' || op === 'not_empty') return value === undefined ? undefined : `${op} takes no value.`;
  return value === undefined ? `${op} needs a value to compare with.` : undefined;
}

/** One problem for each field that depends on itself. */
function cycles(fields: readonly Field[], at: string): Problem[] {
  const targets = new Map<string, string[]>();
  for (const field of fields) {
    if (isInputField(field)) targets.set(field.name, field.visibleIf?.all_of.map((rule) => rule.field) ?? []);
  }
  return fields.flatMap((field, index) => {
    if (!isInputField(field) || !reaches(targets, field.name)) return [];
    return [
      {
        pointer: pointer(at, index, 'visibleIf'),
        code: 'cycle',
        message: `Whether ${JSON.stringify(field.name)} is shown depends on itself.`,
      },
    ];
  });
}

function reaches(targets: Map<string, string[]>, start: string): boolean {
  const seen = new Set<string>();
  const queue = [...(targets.get(start) ?? [])];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (name === start) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    queue.push(...(targets.get(name) ?? []));
  }
  return false;
}

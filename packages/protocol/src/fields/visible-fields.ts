/** Evaluates `visibleIf`: returns the fields that a person sees with the values so far. */
import { jsonEqual } from '../json.ts';
import type { Field } from './field.ts';
import type { VisibleIfRule } from './field-types.ts';
import { isInputField } from './input-field.ts';

/** Absent, null, "" and [] are no value; false and 0 are values. */
export function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The own value of that name, never one of Object.prototype. Undefined if it is empty. */
export function ownValue(values: unknown, name: string): unknown {
  const value = Object.hasOwn(Object(values), name) ? (values as Record<string, unknown>)[name] : undefined;
  return isEmptyValue(value) ? undefined : value;
}

/** A rule about a hidden field sees no value. So a field is also hidden when the field that it depends on is. */
export function visibleFields(fields: readonly Field[], values: unknown): Field[] {
  const byName = new Map<string, Field>();
  for (const field of fields) if (isInputField(field) && !byName.has(field.name)) byName.set(field.name, field);
  // A field under evaluation counts as hidden. checkFields rejects cycles, and with one this still ends.
  const known = new Map<Field, boolean>();

  function isVisible(field: Field): boolean {
    const before = known.get(field);
    if (before !== undefined) return before;
    known.set(field, false);
    const visible = field.visibleIf?.all_of.every(holds) ?? true;
    known.set(field, visible);
    return visible;
  }

  function holds(rule: VisibleIfRule): boolean {
    const target = byName.get(rule.field);
    return ruleHolds(rule, target && isVisible(target) ? ownValue(values, rule.field) : undefined);
  }

  return fields.filter(isVisible);
}

/** Each test has its opposite, whose name begins with `not_`. */
function ruleHolds({ op, value: expected }: VisibleIfRule, value: unknown): boolean {
  const values = op.endsWith('in') ? expected : op.endsWith('empty') ? [undefined] : [expected];
  const holds = Array.isArray(values) && values.some((each) => sameValue(value, each));
  return holds !== op.startsWith('not');
}

function sameValue(value: unknown, expected: unknown): boolean {
  return isEmptyValue(value) ? isEmptyValue(expected) : jsonEqual(value, expected);
}

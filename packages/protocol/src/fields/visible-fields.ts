/** Evaluates `visibleIf`: which fields a person sees, given the values so far. */
import { jsonEqual } from '../json-equal.ts';
import type { Field } from './field.ts';
import { isInputField } from './input-field.ts';
import type { VisibleIfRule } from './visible-if.ts';

/** Absent, null, "" and [] are no value; false and 0 are values. */
export function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The value under that name, or undefined when there is none; never one inherited from Object.prototype. */
export function ownValue(values: unknown, name: string): unknown {
  const value = Object.hasOwn(Object(values), name) ? (values as Record<string, unknown>)[name] : undefined;
  return isEmptyValue(value) ? undefined : value;
}

/** A rule that names a hidden field sees no value, so hiding one field hides what depends on it. */
export function visibleFields(fields: readonly Field[], values: unknown): Field[] {
  const byName = new Map<string, Field>();
  for (const field of fields) if (isInputField(field) && !byName.has(field.name)) byName.set(field.name, field);
  // A field under evaluation counts as hidden: checkFields refuses cycles, and this keeps the function total.
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
  const holds = op.endsWith('equals')
    ? sameValue(value, expected)
    : op.endsWith('in')
      ? isOneOf(value, expected)
      : isEmptyValue(value);
  return holds !== op.startsWith('not');
}

function sameValue(value: unknown, expected: unknown): boolean {
  return isEmptyValue(value) ? isEmptyValue(expected) : jsonEqual(value, expected);
}

function isOneOf(value: unknown, list: unknown): boolean {
  return Array.isArray(list) && list.some((item) => sameValue(value, item));
}

/** Reads the fields of a question as they were sent: accepts any JSON, and returns every problem at once. */
import { checkShape } from '../check-schema.ts';
import { isObject } from '../json.ts';
import { limits } from '../limits.ts';
import { boundProblems, type Problem, pointer, problem } from '../problem.ts';
import { checkField } from './check-field.ts';
import { type Field, type FieldType, fieldSchemas } from './field.ts';
import type { VisibleIfRule } from './field-types.ts';
import { isInputField } from './input-field.ts';

export type CheckedFields = { ok: true; fields: Field[] } | { ok: false; problems: Problem[] };

export function checkFields(input: unknown, at = '/fields'): CheckedFields {
  if (!Array.isArray(input)) return refuse([problem(at, 'type', 'This must be an array of fields.')]);
  if (input.length > limits.fields)
    return refuse([problem(at, 'max-items', `A question may have at most ${limits.fields} fields.`)]);
  const problems: Problem[] = [];
  const fields: Field[] = [];
  for (const [index, item] of input.entries()) {
    if (problems.length > limits.problems) break;
    const where = pointer(at, index);
    const field = readField(item, where, problems);
    if (!field) continue;
    fields.push(field);
    problems.push(...checkField(field, where));
  }
  // While a field cannot be read, checks of all fields together would mislead.
  if (fields.length === input.length) problems.push(...duplicateNames(fields, at), ...checkVisibleIf(fields, at));
  return problems.length === 0 ? { ok: true, fields } : refuse(problems);
}

const refuse = (problems: Problem[]): CheckedFields => ({ ok: false, problems: boundProblems(problems) });

/** Returns the field, or adds its problems. */
function readField(item: unknown, at: string, problems: Problem[]): Field | undefined {
  const found: Problem[] = [];
  const candidate = isObject(item) ? normaliseField(item) : undefined;
  if (!candidate) found.push(problem(at, 'type', 'A field must be an object.'));
  else if (isFieldType(candidate.type)) found.push(...checkShape(fieldSchemas[candidate.type], candidate, at));
  else found.push(problem(pointer(at, 'type'), 'unknown-type', `The type of a field must be one of ${types}.`));
  problems.push(...found);
  return found.length === 0 ? (candidate as Field) : undefined;
}

const types = Object.keys(fieldSchemas).join(', ');

function isFieldType(type: unknown): type is FieldType {
  return typeof type === 'string' && Object.hasOwn(fieldSchemas, type);
}

function duplicateNames(fields: readonly Field[], at: string): Problem[] {
  const names = fields.map((field) => isInputField(field) && field.name.trim());
  return names.flatMap((name, index) =>
    name !== false && names.indexOf(name) < index
      ? [problem(pointer(at, index, 'name'), 'duplicate', `Two fields are named ${JSON.stringify(name)}.`)]
      : [],
  );
}

/** Accepts other forms of the same: multiselect, options as strings, accept as one string. */
function normaliseField(input: Record<string, unknown>): Record<string, unknown> {
  const field = { ...input };
  if (field.type === 'multiselect') field.type = 'multi_select';
  if (Array.isArray(field.options)) {
    field.options = field.options.map((option) =>
      typeof option === 'string' ? { value: option, label: option } : option,
    );
  }
  if (typeof field.accept === 'string') {
    field.accept = field.accept
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  }
  return field;
}

/** Checks the visibleIf of all fields together: rules name fields that exist, and never lead in a circle. */
function checkVisibleIf(fields: readonly Field[], at: string): Problem[] {
  const names = new Set(fields.filter(isInputField).map((field) => field.name));
  const problems: Problem[] = [];
  for (const [index, field] of fields.entries()) {
    for (const [number, rule] of (field.visibleIf?.all_of ?? []).entries()) {
      const where = pointer(at, index, 'visibleIf', 'all_of', number);
      const unknown = `There is no field named ${JSON.stringify(rule.field)} that takes a value.`;
      if (!names.has(rule.field)) problems.push(problem(pointer(where, 'field'), 'unknown-field', unknown));
      const fault = valueFault(rule);
      if (fault) problems.push(problem(pointer(where, 'value'), 'rule-value', fault));
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
  const inputs = fields.filter(isInputField);
  const targets = new Map(
    inputs.map(({ name, visibleIf }) => [name, visibleIf?.all_of.map(({ field }) => field) ?? []]),
  );
  return fields.flatMap((field, index) => {
    if (!isInputField(field) || !reaches(targets, field.name)) return [];
    const message = `The visibility of ${JSON.stringify(field.name)} depends on itself.`;
    return [problem(pointer(at, index, 'visibleIf'), 'cycle', message)];
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

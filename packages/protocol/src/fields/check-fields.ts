/** Reads the fields of a question as somebody sent them: total on any JSON, and every problem at once. */
import { checkShape } from '../check-schema.ts';
import { limits } from '../limits.ts';
import { boundProblems, type Problem, pointer } from '../problem.ts';
import { checkField } from './check-field.ts';
import { checkVisibleIf } from './check-visible-if.ts';
import { type Field, type FieldType, fieldSchemas } from './field.ts';
import { isInputField } from './input-field.ts';
import { normaliseField } from './normalise-field.ts';

export type CheckedFields = { ok: true; fields: Field[] } | { ok: false; problems: Problem[] };

export function checkFields(input: unknown, at = '/fields'): CheckedFields {
  if (!Array.isArray(input))
    return refuse([{ pointer: at, code: 'type', message: 'This must be an array of fields.' }]);
  if (input.length > limits.fields) {
    return refuse([
      { pointer: at, code: 'max-items', message: `A question may have at most ${limits.fields} fields.` },
    ]);
  }
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
  // Rules about all fields together would mislead while some could not be read.
  if (fields.length === input.length) problems.push(...duplicateNames(fields, at), ...checkVisibleIf(fields, at));
  return problems.length === 0 ? { ok: true, fields } : refuse(problems);
}

const refuse = (problems: Problem[]): CheckedFields => ({ ok: false, problems: boundProblems(problems) });

function readField(item: unknown, at: string, problems: Problem[]): Field | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    problems.push({ pointer: at, code: 'type', message: 'A field must be an object.' });
    return undefined;
  }
  const candidate = normaliseField(item as Record<string, unknown>);
  if (!isFieldType(candidate.type)) {
    const types = Object.keys(fieldSchemas).join(', ');
    problems.push({
      pointer: pointer(at, 'type'),
      code: 'unknown-type',
      message: `The type of a field must be one of ${types}.`,
    });
    return undefined;
  }
  const found = checkShape(fieldSchemas[candidate.type], candidate, at);
  problems.push(...found);
  return found.length === 0 ? (candidate as Field) : undefined;
}

function isFieldType(type: unknown): type is FieldType {
  return typeof type === 'string' && Object.hasOwn(fieldSchemas, type);
}

function duplicateNames(fields: readonly Field[], at: string): Problem[] {
  const seen = new Set<string>();
  return fields.flatMap((field, index) => {
    if (!isInputField(field)) return [];
    const name = field.name.trim();
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [
      {
        pointer: pointer(at, index, 'name'),
        code: 'duplicate',
        message: `Two fields are named ${JSON.stringify(name)}.`,
      },
    ];
  });
}

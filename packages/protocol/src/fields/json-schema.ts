/** The JSON Schema 2020-12 of an answer's values: for clients that check before they send, and for models that answer. */
import { defined } from '../defined.ts';
import type { JsonSchema } from '../json.ts';
import type { Field, InputField } from './field.ts';
import { fieldTypes, type VisibleIf, type VisibleIfRule } from './field-types.ts';
import { isInputField, isSecretField } from './input-field.ts';
import { isEmptyValue } from './visible-fields.ts';

/** Describes values as the server stores them, without hidden and empty ones. */
export function fieldsToJsonSchema(fields: readonly Field[]): JsonSchema {
  const inputs = fields.filter(isInputField);
  const conditional = inputs.flatMap(({ name, required, visibleIf }) =>
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name
    required && visibleIf ? [{ if: conditionSchema(visibleIf), then: { required: [name] } }] : [],
  );
  return defined({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(inputs.map((field) => [field.name, fieldSchema(field)])),
    required: inputs.filter((field) => field.required && !field.visibleIf).map((field) => field.name),
    allOf: conditional.length > 0 ? conditional : undefined,
    additionalProperties: false,
  });
}

function conditionSchema({ all_of }: VisibleIf): JsonSchema {
  const [first, ...others] = all_of.map(ruleSchema);
  return first && others.length === 0 ? first : { allOf: all_of.map(ruleSchema) };
}

/** Tests for a value negate those whose name begins with `not_`. A field without a value is absent. */
function ruleSchema({ field, op, value }: VisibleIfRule): JsonSchema {
  if (op === 'not_empty') return { required: [field] };
  if (op === 'empty') return { not: { required: [field] } };
  const isList = op === 'in' || op === 'not_in';
  const holds = oneOfValues(field, isList ? (Array.isArray(value) ? value : []) : [value]);
  return op.startsWith('not') ? { not: holds } : holds;
}

/** No value equals null, "" and []: such a value in a rule means that the field is absent. */
function oneOfValues(field: string, values: unknown[]): JsonSchema {
  const given = values.filter((value) => !isEmptyValue(value));
  const isGiven = { properties: { [field]: { enum: given } }, required: [field] };
  if (given.length === values.length) return given.length > 0 ? isGiven : { not: {} };
  const isAbsent = { not: { required: [field] } };
  return given.length > 0 ? { anyOf: [isAbsent, isGiven] } : isAbsent;
}

const fieldSchema = (field: InputField): JsonSchema =>
  defined({
    title: field.label,
    description: field.description,
    ...valueSchema(field),
    default: 'default' in field ? field.default : undefined,
    writeOnly: isSecretField(field) || undefined,
  });

/** May have keywords that are undefined. */
const valueSchema = (field: InputField): JsonSchema =>
  (fieldTypes[field.type] as { valueSchema(field: InputField): JsonSchema }).valueSchema(field);

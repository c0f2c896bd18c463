/** The JSON Schema 2020-12 of an answer's values: for clients that check before they send, and for models that answer. */

import { defined } from '../defined.ts';
import type { Field } from './field.ts';
import { fieldSchema, type JsonSchema } from './field-json-schema.ts';
import { isInputField } from './input-field.ts';
import { isEmptyValue } from './visible-fields.ts';
import type { VisibleIf, VisibleIfRule } from './visible-if.ts';

/** It describes values as they are kept: what is hidden or empty is left out. */
export function fieldsToJsonSchema(fields: readonly Field[]): JsonSchema {
  const inputs = fields.filter(isInputField);
  const conditional = inputs.flatMap(({ name, required, visibleIf }) =>
    // biome-ignore lint/suspicious/noThenProperty: the keyword's name
    required && visibleIf ? [{ if: conditionSchema(visibleIf), then: { required: [name] } }] : [],
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(inputs.map((field) => [field.name, fieldSchema(field)])),
    required: inputs.filter((field) => field.required && !field.visibleIf).map((field) => field.name),
    ...defined({ allOf: conditional.length > 0 ? conditional : undefined }),
    additionalProperties: false,
  };
}

function conditionSchema({ all_of }: VisibleIf): JsonSchema {
  const [first, ...others] = all_of.map(ruleSchema);
  return first && others.length === 0 ? first : { allOf: all_of.map(ruleSchema) };
}

function ruleSchema({ field, op, value }: VisibleIfRule): JsonSchema {
  const present = { required: [field] };
  switch (op) {
    case 'equals':
      return oneOfValues(field, [value]);
    case 'not_equals':
      return { not: oneOfValues(field, [value]) };
    case 'in':
      return oneOfValues(field, Array.isArray(value) ? value : []);
    case 'not_in':
      return { not: oneOfValues(field, Array.isArray(value) ? value : []) };
    case 'empty':
      return { not: present };
    case 'not_empty':
      return present;
  }
}

/** No value equals null, "" and []: there it stands for the field being absent. */
function oneOfValues(field: string, values: unknown[]): JsonSchema {
  const given = values.filter((value) => !isEmptyValue(value));
  const isGiven = { properties: { [field]: { enum: given } }, required: [field] };
  if (given.length === values.length) return given.length > 0 ? isGiven : { not: {} };
  const isAbsent = { not: { required: [field] } };
  return given.length > 0 ? { anyOf: [isAbsent, isGiven] } : isAbsent;
}

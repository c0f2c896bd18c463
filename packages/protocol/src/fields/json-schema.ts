/** The JSON Schema 2020-12 of an answer's values: for clients that check before they send, and for models that answer. */
import { defined } from '../defined.ts';
import { limits } from '../limits.ts';
import { acceptOf, isMultiple } from './check-upload.ts';
import { defaultStars, isMultipleOf } from './check-value.ts';
import {
  type ChoiceField,
  type Field,
  FileRefSchema,
  type InputField,
  type TextLikeField,
  type UploadField,
  type VisibleIf,
  type VisibleIfRule,
} from './field.ts';
import { isInputField, isSecretField } from './input-field.ts';
import { isEmptyValue } from './visible-fields.ts';

export type JsonSchema = { [keyword: string]: unknown };

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
function valueSchema(field: InputField): JsonSchema {
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'email':
    case 'tel':
    case 'url':
    case 'password':
      return textSchema(field);
    case 'number': {
      const { integer, min, max, step } = field;
      // multipleOf counts from 0 and step from min, so a step appears only if the two agree.
      const multipleOf = step !== undefined && isMultipleOf(min ?? 0, step) ? step : undefined;
      return { type: integer ? 'integer' : 'number', minimum: min, maximum: max, multipleOf };
    }
    case 'rating':
      return { type: 'integer', minimum: 1, maximum: field.maxStars ?? defaultStars };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'datetime':
      return { type: 'string', format: 'date-time' };
    case 'time':
      // The format "time" demands an offset, which a time of day has not.
      return { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$' };
    case 'checkbox':
    case 'confirm':
      return { type: 'boolean' };
    case 'select':
    case 'radio':
      return { type: 'string', ...optionsSchema(field) };
    case 'multi_select': {
      const minItems = Math.max(field.minSelections ?? 0, field.required ? 1 : 0) || undefined;
      const items = { type: 'string', ...optionsSchema(field) };
      return { type: 'array', items, uniqueItems: true, minItems, maxItems: field.maxSelections };
    }
    case 'file_upload':
    case 'image_upload':
    case 'signature':
      return uploadSchema(field);
    case 'custom':
      return { type: ['string', 'number', 'boolean'] };
  }
}

function textSchema({ type, required, minLength, maxLength, ...field }: TextLikeField): JsonSchema {
  const pattern = field.pattern ?? (type === 'url' ? '^[Hh][Tt][Tt][Pp][Ss]?://' : undefined);
  return {
    type: 'string',
    format: { email: 'email', url: 'uri' }[type as string],
    minLength: required ? Math.max(1, minLength ?? 1) : minLength,
    maxLength,
    pattern: pattern !== undefined && isEcmaPattern(pattern) ? pattern : undefined,
  };
}

/** Patterns of JSON Schema are those of ECMAScript. A pattern that only RE2 reads, such as (?i), would break a validator. */
function isEcmaPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

function optionsSchema({ options }: ChoiceField): JsonSchema {
  const isBare = options.every(({ value, label, description }) => value === label && description === undefined);
  if (isBare) return { enum: options.map(({ value }) => value) };
  return {
    oneOf: options.map(({ value, label, description }) => defined({ const: value, title: label, description })),
  };
}

function uploadSchema(field: UploadField): JsonSchema {
  const accept = acceptOf(field);
  const constraints = {
    'x-upload': field.type,
    accept: accept.length > 0 ? accept : undefined,
    maxSizeMb: field.type === 'signature' ? undefined : field.maxSizeMb,
  };
  if (!isMultiple(field)) return { ...FileRefSchema, ...constraints };
  const minItems = field.required ? 1 : undefined;
  return { type: 'array', items: FileRefSchema, minItems, maxItems: limits.filesPerField, ...constraints };
}

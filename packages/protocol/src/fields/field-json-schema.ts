/** The JSON Schema of one field's value. */
import { defined } from '../defined.ts';
import { limits } from '../limits.ts';
import type { CalendarField } from './calendar-fields.ts';
import { defaultStars, isMultipleOf } from './check-number.ts';
import { acceptOf, isMultiple } from './check-upload.ts';
import type { ChoiceField, MultiSelectField, Option } from './choice-fields.ts';
import type { InputField } from './field.ts';
import { FileRefSchema } from './file-ref.ts';
import { isSecretField } from './input-field.ts';
import type { NumberField } from './number-field.ts';
import type { TextLikeField } from './text-fields.ts';
import type { UploadField } from './upload-fields.ts';

export type JsonSchema = { [keyword: string]: unknown };

export function fieldSchema(field: InputField): JsonSchema {
  return {
    ...given('title', field.label),
    ...given('description', field.description),
    ...valueSchema(field),
    ...('default' in field ? given('default', field.default) : {}),
    ...defined({ writeOnly: isSecretField(field) ? true : undefined }),
  };
}

const given = (keyword: string, value: unknown): JsonSchema => (value === undefined ? {} : { [keyword]: value });

function valueSchema(field: InputField): JsonSchema {
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'email':
    case 'tel':
    case 'url':
    case 'password':
      return textSchema(field);
    case 'number':
      return numberSchema(field);
    case 'rating':
      return { type: 'integer', minimum: 1, maximum: field.maxStars ?? defaultStars };
    case 'date':
    case 'time':
    case 'datetime':
      return calendarSchema(field);
    case 'checkbox':
    case 'confirm':
      return { type: 'boolean' };
    case 'select':
    case 'radio':
      return { type: 'string', ...optionsSchema(field) };
    case 'multi_select':
      return selectionsSchema(field);
    case 'file_upload':
    case 'image_upload':
    case 'signature':
      return uploadSchema(field);
    case 'custom':
      return { type: ['string', 'number', 'boolean'] };
  }
}

function textSchema(field: TextLikeField): JsonSchema {
  const minLength = field.required ? Math.max(1, field.minLength ?? 1) : field.minLength;
  const pattern = field.pattern ?? (field.type === 'url' ? '^[Hh][Tt][Tt][Pp][Ss]?://' : undefined);
  return {
    type: 'string',
    ...(field.type === 'email' ? { format: 'email' } : field.type === 'url' ? { format: 'uri' } : {}),
    ...given('minLength', minLength),
    ...given('maxLength', field.maxLength),
    ...defined({ pattern: pattern !== undefined && isEcmaPattern(pattern) ? pattern : undefined }),
  };
}

/** JSON Schema patterns are ECMAScript's; what only RE2 reads, such as (?i), would break a client's validator. */
function isEcmaPattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/** multipleOf counts from 0 and step from min, so a step is only told where the two agree. */
function numberSchema({ integer, min, max, step }: NumberField): JsonSchema {
  return {
    type: integer ? 'integer' : 'number',
    ...given('minimum', min),
    ...given('maximum', max),
    ...defined({ multipleOf: step !== undefined && isMultipleOf(min ?? 0, step) ? step : undefined }),
  };
}

function calendarSchema({ type }: CalendarField): JsonSchema {
  if (type === 'date') return { type: 'string', format: 'date' };
  if (type === 'datetime') return { type: 'string', format: 'date-time' };
  // The format "time" demands an offset, which a time of day has not.
  return { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$' };
}

function optionsSchema({ options }: ChoiceField): JsonSchema {
  if (options.every(isBare)) return { enum: options.map((option) => option.value) };
  return {
    oneOf: options.map(({ value, label, description }) => ({
      const: value,
      title: label,
      ...given('description', description),
    })),
  };
}

const isBare = ({ value, label, description }: Option) => value === label && description === undefined;

function selectionsSchema(field: MultiSelectField): JsonSchema {
  const minItems = Math.max(field.minSelections ?? 0, field.required ? 1 : 0);
  return {
    type: 'array',
    items: { type: 'string', ...optionsSchema(field) },
    uniqueItems: true,
    ...defined({ minItems: minItems > 0 ? minItems : undefined }),
    ...given('maxItems', field.maxSelections),
  };
}

function uploadSchema(field: UploadField): JsonSchema {
  const accept = acceptOf(field);
  const constraints = {
    'x-upload': field.type,
    ...defined({ accept: accept.length > 0 ? accept : undefined }),
    ...(field.type === 'signature' ? {} : given('maxSizeMb', field.maxSizeMb)),
  };
  if (!isMultiple(field)) return { ...FileRefSchema, ...constraints };
  return {
    type: 'array',
    items: FileRefSchema,
    ...defined({ minItems: field.required ? 1 : undefined }),
    maxItems: limits.filesPerField,
    ...constraints,
  };
}

/**
 * The table of field types: the properties of each, its line in `/docs`, and the JSON Schema of its values. Types, schemas
 * and OpenAPI follow. Pages do not load this file, so the check of a value is in `check-value.ts`.
 */
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { strictObject } from '../base-schemas.ts';
import { defined } from '../defined.ts';
import type { JsonSchema } from '../json.ts';
import { limits } from '../limits.ts';
import { defaultStars, isMultipleOf } from './check-number.ts';
import { acceptOf, isMultiple } from './check-upload.ts';
import { FileRefSchema } from './file-ref.ts';

/** `asks` and `answer` are the line in `/docs`. The keywords of the JSON Schema may be undefined. */
interface FieldTypeSpec<Properties extends TProperties> {
  properties: Properties;
  asks: string;
  answer: string;
  valueSchema(field: { type: string } & Static<TObject<Properties>>): JsonSchema;
}

/** Infers the type of the field from its properties. */
const input = <Properties extends TProperties>(spec: FieldTypeSpec<Properties>) => spec;

/** A field that only shows something: it has no name and no value. */
const display = <Properties extends TProperties>(spec: { properties: Properties; asks: string }) => ({
  ...spec,
  answer: 'none',
});

const VisibleIfRuleSchema = strictObject({
  field: Type.String({ minLength: 1, maxLength: limits.nameLength }),
  op: Type.Enum(['equals', 'not_equals', 'in', 'not_in', 'empty', 'not_empty']),
  value: Type.Optional(Type.Unknown()),
});
export type VisibleIfRule = Static<typeof VisibleIfRuleSchema>;

/** Shows the field only while every rule of `all_of` holds for the values so far. */
export const VisibleIfSchema = strictObject({
  all_of: Type.Array(VisibleIfRuleSchema, { minItems: 1, maxItems: limits.visibleIfRules }),
});
export type VisibleIf = Static<typeof VisibleIfSchema>;

const label = Type.String({ minLength: 1, maxLength: limits.labelLength });

export const OptionSchema = strictObject({
  value: Type.String({ minLength: 1, maxLength: limits.labelLength }),
  label,
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  recommended: Type.Optional(Type.Boolean()),
  variant: Type.Optional(Type.Enum(['primary', 'secondary', 'danger'])),
  kind: Type.Optional(Type.Enum(['answer', 'allow_once', 'allow_always', 'reject_once', 'reject_always'])),
});
export type Option = Static<typeof OptionSchema>;

const meta = Type.Record(Type.String(), Type.Unknown(), { description: 'Your free JSON, stored unchanged.' });

const inputBase = {
  name: Type.String({ minLength: 1, maxLength: limits.nameLength }),
  label: Type.Optional(label),
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  required: Type.Optional(Type.Boolean()),
  secret: Type.Optional(Type.Boolean()),
  visibleIf: Type.Optional(VisibleIfSchema),
  meta: Type.Optional(meta),
};
const placeholder = Type.Optional(Type.String({ maxLength: limits.labelLength }));

const textProperties = {
  ...inputBase,
  placeholder,
  default: Type.Optional(Type.String({ maxLength: limits.textLength })),
  pattern: Type.Optional(Type.String({ maxLength: limits.patternLength })),
  minLength: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.textLength })),
  maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.textLength })),
};

const calendarText = Type.Optional(Type.String({ maxLength: 40 }));
const calendarProperties = { ...inputBase, default: calendarText, min: calendarText, max: calendarText };

const booleanDefault = Type.Optional(Type.Boolean());

const options = Type.Array(OptionSchema, { minItems: 1, maxItems: limits.optionsPerField });
const optionValue = Type.String({ maxLength: limits.labelLength });
const buttons = Type.Optional(Type.Literal('buttons'));

const stars = Type.Optional(Type.Integer({ minimum: 1, maximum: limits.maxStars }));

const uploadProperties = {
  ...inputBase,
  accept: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: limits.nameLength }), { maxItems: limits.acceptEntries }),
  ),
  maxSizeMb: Type.Optional(Type.Number({ minimum: 1, maximum: limits.fileSizeMb })),
  multiple: Type.Optional(Type.Boolean()),
  retention: Type.Optional(Type.Enum(['persistent', 'transient'])),
};
const canvasLength = Type.Optional(Type.Integer({ minimum: 1, maximum: limits.canvasPixels }));

const displayBase = { visibleIf: Type.Optional(VisibleIfSchema), meta: Type.Optional(meta) };
const displayed = Type.String({ minLength: 1, maxLength: limits.bodyLength });

export const fieldTypes = {
  text: input({
    properties: textProperties,
    asks: 'One line of text',
    answer: 'string',
    valueSchema: (field) => textSchema(field),
  }),
  textarea: input({
    properties: {
      ...textProperties,
      rows: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.textareaRows })),
    },
    asks: 'Several lines of text',
    answer: 'string',
    valueSchema: (field) => textSchema(field),
  }),
  email: input({
    properties: textProperties,
    asks: 'An email address',
    answer: 'string',
    valueSchema: (field) => textSchema(field, { format: 'email' }),
  }),
  tel: input({
    properties: textProperties,
    asks: 'A telephone number',
    answer: 'string',
    valueSchema: (field) => textSchema(field),
  }),
  url: input({
    properties: textProperties,
    asks: 'An http or https address',
    answer: 'string',
    valueSchema: (field) => textSchema(field, { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' }),
  }),
  password: input({
    properties: textProperties,
    asks: 'A secret; always `secret`',
    answer: 'string, can be read once',
    valueSchema: (field) => textSchema(field),
  }),
  number: input({
    properties: {
      ...inputBase,
      placeholder,
      default: Type.Optional(Type.Number()),
      min: Type.Optional(Type.Number()),
      max: Type.Optional(Type.Number()),
      step: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
      integer: Type.Optional(Type.Boolean()),
    },
    asks: 'A number',
    answer: 'number',
    valueSchema: ({ integer, min, max, step }) => {
      // multipleOf counts from 0 and step from min, so a step appears only if the two agree.
      const multipleOf = step !== undefined && isMultipleOf(min ?? 0, step) ? step : undefined;
      return { type: integer ? 'integer' : 'number', minimum: min, maximum: max, multipleOf };
    },
  }),
  date: input({
    properties: calendarProperties,
    asks: 'A calendar date',
    answer: '"2030-01-31"',
    valueSchema: () => ({ type: 'string', format: 'date' }),
  }),
  time: input({
    properties: calendarProperties,
    asks: 'A time of day',
    answer: '"14:30" or "14:30:00"',
    // The format "time" demands an offset, which a time of day has not.
    valueSchema: () => ({ type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$' }),
  }),
  datetime: input({
    properties: calendarProperties,
    asks: 'A date and time',
    answer: '"2030-01-31T14:30:00Z"',
    valueSchema: () => ({ type: 'string', format: 'date-time' }),
  }),
  checkbox: input({
    properties: { ...inputBase, default: booleanDefault },
    asks: 'A box to tick',
    answer: 'true or false',
    valueSchema: () => ({ type: 'boolean' }),
  }),
  confirm: input({
    properties: {
      ...inputBase,
      default: booleanDefault,
      confirmLabel: Type.Optional(label),
      denyLabel: Type.Optional(label),
    },
    asks: 'Yes or no, as two buttons',
    answer: 'true or false',
    valueSchema: () => ({ type: 'boolean' }),
  }),
  select: input({
    properties: { ...inputBase, options, default: Type.Optional(optionValue), display: buttons },
    asks: 'One of several options',
    answer: 'the value of one option',
    valueSchema: (field) => optionSchema(field),
  }),
  radio: input({
    properties: { ...inputBase, options, default: Type.Optional(optionValue) },
    asks: 'One of several options, all visible',
    answer: 'the value of one option',
    valueSchema: (field) => optionSchema(field),
  }),
  multi_select: input({
    properties: {
      ...inputBase,
      options,
      default: Type.Optional(Type.Array(optionValue, { maxItems: limits.optionsPerField })),
      display: buttons,
      minSelections: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.optionsPerField })),
      maxSelections: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.optionsPerField })),
    },
    asks: 'Any of several options',
    answer: 'a list of option values',
    valueSchema: (field) => {
      const minItems = Math.max(field.minSelections ?? 0, field.required ? 1 : 0) || undefined;
      return { type: 'array', items: optionSchema(field), uniqueItems: true, minItems, maxItems: field.maxSelections };
    },
  }),
  rating: input({
    properties: {
      ...inputBase,
      default: stars,
      maxStars: stars,
      ratingIcon: Type.Optional(Type.Enum(['star', 'heart', 'thumb'])),
    },
    asks: 'A number of stars',
    answer: 'an integer from 1 to maxStars',
    valueSchema: ({ maxStars = defaultStars }) => ({ type: 'integer', minimum: 1, maximum: maxStars }),
  }),
  file_upload: input({
    properties: uploadProperties,
    asks: 'A file',
    answer: 'FileRef, or a list with `multiple`',
    valueSchema: (field) => uploadSchema(field),
  }),
  image_upload: input({
    properties: uploadProperties,
    asks: 'A picture',
    answer: 'FileRef, or a list with `multiple`',
    valueSchema: (field) => uploadSchema(field),
  }),
  /** A drawn signature, which is uploaded as a picture. */
  signature: input({
    properties: { ...inputBase, canvasWidth: canvasLength, canvasHeight: canvasLength },
    asks: 'A drawn signature',
    answer: 'FileRef',
    valueSchema: (field) => uploadSchema(field),
  }),
  /** A type of another system: shown as a line of text, and answered with one value of any plain type. */
  custom: input({
    properties: {
      customType: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'The name of the type in the other system.' }),
      ),
      ...inputBase,
      placeholder,
      default: Type.Optional(
        Type.Union([Type.String({ maxLength: limits.textLength }), Type.Number(), Type.Boolean()]),
      ),
    },
    asks: 'One value of a type of your own',
    answer: 'string, number, true or false',
    valueSchema: () => ({ type: ['string', 'number', 'boolean'] }),
  }),
  heading: display({ properties: { text: displayed, ...displayBase }, asks: 'Nothing; shows a heading' }),
  paragraph: display({ properties: { text: displayed, ...displayBase }, asks: 'Nothing; shows a paragraph' }),
  divider: display({ properties: displayBase, asks: 'Nothing; shows a line' }),
};

type TextField = Static<TObject<typeof textProperties>>;

function textSchema({ required, minLength, maxLength, pattern }: TextField, own: JsonSchema = {}): JsonSchema {
  const matched = pattern ?? own.pattern;
  return {
    type: 'string',
    format: own.format,
    minLength: required ? Math.max(1, minLength ?? 1) : minLength,
    maxLength,
    pattern: typeof matched === 'string' && isEcmaPattern(matched) ? matched : undefined,
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

function optionSchema({ options }: { options: Option[] }): JsonSchema {
  const isBare = options.every(({ value, label, description }) => value === label && description === undefined);
  if (isBare) return { type: 'string', enum: options.map(({ value }) => value) };
  return {
    type: 'string',
    oneOf: options.map(({ value, label, description }) => defined({ const: value, title: label, description })),
  };
}

function uploadSchema(field: { required?: boolean } & Parameters<typeof acceptOf>[0]): JsonSchema {
  const accept = acceptOf(field);
  const constraints = {
    'x-upload': field.type,
    accept: accept.length > 0 ? accept : undefined,
    maxSizeMb: field.maxSizeMb,
  };
  if (!isMultiple(field)) return { ...FileRefSchema, ...constraints };
  const minItems = field.required ? 1 : undefined;
  return { type: 'array', items: FileRefSchema, minItems, maxItems: limits.filesPerField, ...constraints };
}

/** The vocabulary of fields: one schema for each type, which is both the TypeScript type and the structural check. */
import { type Static, Type } from 'typebox';
import { strictObject } from '../base-schemas.ts';
import { limits } from '../limits.ts';

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

/** The value of an upload field: it describes an uploaded file and never has its bytes. */
export const FileRefSchema = strictObject({
  file_id: Type.String({ minLength: 1, maxLength: limits.idLength }),
  url: Type.String({ minLength: 1, maxLength: limits.urlLength }),
  name: Type.String({ minLength: 1, maxLength: limits.nameLength }),
  mime: Type.String({ minLength: 1, maxLength: limits.nameLength }),
  size: Type.Integer({ minimum: 0 }),
});
export type FileRef = Static<typeof FileRefSchema>;

const label = Type.String({ minLength: 1, maxLength: limits.labelLength });
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

export const OptionSchema = strictObject({
  value: Type.String({ minLength: 1, maxLength: limits.labelLength }),
  label,
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  recommended: Type.Optional(Type.Boolean()),
  variant: Type.Optional(Type.Enum(['primary', 'secondary', 'danger'])),
  kind: Type.Optional(Type.Enum(['answer', 'allow_once', 'allow_always', 'reject_once', 'reject_always'])),
});
export type Option = Static<typeof OptionSchema>;

const options = Type.Array(OptionSchema, { minItems: 1, maxItems: limits.optionsPerField });
const optionValue = Type.String({ maxLength: limits.labelLength });
const display = Type.Optional(Type.Literal('buttons'));

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

/** Display fields show something and take no input: they have no name and no value. */
const displayBase = { visibleIf: Type.Optional(VisibleIfSchema), meta: Type.Optional(meta) };
const displayed = Type.String({ minLength: 1, maxLength: limits.bodyLength });

export const fieldSchemas = {
  text: strictObject({ type: Type.Literal('text'), ...textProperties }),
  textarea: strictObject({
    type: Type.Literal('textarea'),
    ...textProperties,
    rows: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.textareaRows })),
  }),
  email: strictObject({ type: Type.Literal('email'), ...textProperties }),
  tel: strictObject({ type: Type.Literal('tel'), ...textProperties }),
  url: strictObject({ type: Type.Literal('url'), ...textProperties }),
  password: strictObject({ type: Type.Literal('password'), ...textProperties }),
  number: strictObject({
    type: Type.Literal('number'),
    ...inputBase,
    placeholder,
    default: Type.Optional(Type.Number()),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    step: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    integer: Type.Optional(Type.Boolean()),
  }),
  date: strictObject({ type: Type.Literal('date'), ...calendarProperties }),
  time: strictObject({ type: Type.Literal('time'), ...calendarProperties }),
  datetime: strictObject({ type: Type.Literal('datetime'), ...calendarProperties }),
  checkbox: strictObject({ type: Type.Literal('checkbox'), ...inputBase, default: booleanDefault }),
  confirm: strictObject({
    type: Type.Literal('confirm'),
    ...inputBase,
    default: booleanDefault,
    confirmLabel: Type.Optional(label),
    denyLabel: Type.Optional(label),
  }),
  select: strictObject({
    type: Type.Literal('select'),
    ...inputBase,
    options,
    default: Type.Optional(optionValue),
    display,
  }),
  radio: strictObject({ type: Type.Literal('radio'), ...inputBase, options, default: Type.Optional(optionValue) }),
  multi_select: strictObject({
    type: Type.Literal('multi_select'),
    ...inputBase,
    options,
    default: Type.Optional(Type.Array(optionValue, { maxItems: limits.optionsPerField })),
    display,
    minSelections: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.optionsPerField })),
    maxSelections: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.optionsPerField })),
  }),
  rating: strictObject({
    type: Type.Literal('rating'),
    ...inputBase,
    default: stars,
    maxStars: stars,
    ratingIcon: Type.Optional(Type.Enum(['star', 'heart', 'thumb'])),
  }),
  file_upload: strictObject({ type: Type.Literal('file_upload'), ...uploadProperties }),
  image_upload: strictObject({ type: Type.Literal('image_upload'), ...uploadProperties }),
  /** A drawn signature, which is uploaded as a picture. */
  signature: strictObject({
    type: Type.Literal('signature'),
    ...inputBase,
    canvasWidth: canvasLength,
    canvasHeight: canvasLength,
  }),
  /** A type of another system: shown as a line of text, and answered with one value of any plain type. */
  custom: strictObject({
    type: Type.Literal('custom'),
    customType: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The name of the type in the other system.' }),
    ),
    ...inputBase,
    placeholder,
    default: Type.Optional(Type.Union([Type.String({ maxLength: limits.textLength }), Type.Number(), Type.Boolean()])),
  }),
  heading: strictObject({ type: Type.Literal('heading'), text: displayed, ...displayBase }),
  paragraph: strictObject({ type: Type.Literal('paragraph'), text: displayed, ...displayBase }),
  divider: strictObject({ type: Type.Literal('divider'), ...displayBase }),
};

export type FieldType = keyof typeof fieldSchemas;
export const FieldSchema = Type.Unsafe<Field>({ anyOf: Object.values(fieldSchemas) });
export type Field = { [T in FieldType]: Static<(typeof fieldSchemas)[T]> }[FieldType];
export type FieldOf<T extends FieldType> = Extract<Field, { type: T }>;
export type InputField = Exclude<Field, FieldOf<'heading' | 'paragraph' | 'divider'>>;

export type TextLikeField = FieldOf<'text' | 'textarea' | 'email' | 'tel' | 'url' | 'password'>;
export type CalendarField = FieldOf<'date' | 'time' | 'datetime'>;
export type MultiSelectField = FieldOf<'multi_select'>;
export type ChoiceField = FieldOf<'select' | 'radio' | 'multi_select'>;
export type UploadField = FieldOf<'file_upload' | 'image_upload' | 'signature'>;

export type FieldValue = string | number | boolean | string[] | FileRef | FileRef[];
export type Values = Record<string, FieldValue>;

/** The whole vocabulary: one schema per type, each both the TypeScript type and the structural check. */
import { type Static, Type } from 'typebox';
import { CheckboxFieldSchema, ConfirmFieldSchema } from './boolean-fields.ts';
import { DateFieldSchema, DatetimeFieldSchema, TimeFieldSchema } from './calendar-fields.ts';
import { MultiSelectFieldSchema, RadioFieldSchema, SelectFieldSchema } from './choice-fields.ts';
import { CustomFieldSchema } from './custom-field.ts';
import { type DisplayField, DividerFieldSchema, HeadingFieldSchema, ParagraphFieldSchema } from './display-fields.ts';
import type { FileRef } from './file-ref.ts';
import { NumberFieldSchema } from './number-field.ts';
import { RatingFieldSchema } from './rating-field.ts';
import {
  EmailFieldSchema,
  PasswordFieldSchema,
  TelFieldSchema,
  TextareaFieldSchema,
  TextFieldSchema,
  UrlFieldSchema,
} from './text-fields.ts';
import { FileUploadFieldSchema, ImageUploadFieldSchema, SignatureFieldSchema } from './upload-fields.ts';

export const fieldSchemas = {
  text: TextFieldSchema,
  textarea: TextareaFieldSchema,
  email: EmailFieldSchema,
  tel: TelFieldSchema,
  url: UrlFieldSchema,
  password: PasswordFieldSchema,
  number: NumberFieldSchema,
  date: DateFieldSchema,
  time: TimeFieldSchema,
  datetime: DatetimeFieldSchema,
  checkbox: CheckboxFieldSchema,
  confirm: ConfirmFieldSchema,
  select: SelectFieldSchema,
  radio: RadioFieldSchema,
  multi_select: MultiSelectFieldSchema,
  rating: RatingFieldSchema,
  file_upload: FileUploadFieldSchema,
  image_upload: ImageUploadFieldSchema,
  signature: SignatureFieldSchema,
  custom: CustomFieldSchema,
  heading: HeadingFieldSchema,
  paragraph: ParagraphFieldSchema,
  divider: DividerFieldSchema,
};

export type FieldType = keyof typeof fieldSchemas;
export const FieldSchema = Type.Unsafe<Field>({ anyOf: Object.values(fieldSchemas) });
export type Field = { [T in FieldType]: Static<(typeof fieldSchemas)[T]> }[FieldType];
export type InputField = Exclude<Field, DisplayField>;
export type FieldOf<T extends FieldType> = Extract<Field, { type: T }>;

export type FieldValue = string | number | boolean | string[] | FileRef | FileRef[];
export type Values = Record<string, FieldValue>;

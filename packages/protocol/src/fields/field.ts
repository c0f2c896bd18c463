/** A field: the types and schemas that follow from the table of field types. */
import { type Static, type TLiteral, type TObject, type TProperties, Type } from 'typebox';
import { strictObject } from '../base-schemas.ts';
import type { calendarReaders } from './calendar.ts';
import { fieldTypes } from './field-types.ts';
import type { FileRef } from './file-ref.ts';

type FieldTypes = typeof fieldTypes;
export type FieldType = keyof FieldTypes;

type FieldSchemas = {
  [T in FieldType]: FieldTypes[T] extends { properties: infer Properties extends TProperties }
    ? TObject<{ type: TLiteral<T> } & Properties>
    : never;
};

export const fieldSchemas = Object.fromEntries(
  Object.entries(fieldTypes).map(([type, { properties }]) => [
    type,
    strictObject({ type: Type.Literal(type), ...properties }),
  ]),
) as unknown as FieldSchemas;

export const FieldSchema = Type.Unsafe<Field>({ anyOf: Object.values(fieldSchemas) });
export type Field = { [T in FieldType]: Static<FieldSchemas[T]> }[FieldType];
export type FieldOf<T extends FieldType> = Extract<Field, { type: T }>;

/** The types whose fields take a value. */
export type InputType = { [T in FieldType]: FieldTypes[T] extends { valueSchema: unknown } ? T : never }[FieldType];
export type InputField = FieldOf<InputType>;

export type TextLikeField = FieldOf<'text' | 'textarea' | 'email' | 'tel' | 'url' | 'password'>;
export type CalendarField = FieldOf<keyof typeof calendarReaders>;
export type MultiSelectField = FieldOf<'multi_select'>;
export type ChoiceField = FieldOf<'select' | 'radio' | 'multi_select'>;
export type UploadField = FieldOf<'file_upload' | 'image_upload' | 'signature'>;

export type FieldValue = string | number | boolean | string[] | FileRef | FileRef[];
export type Values = Record<string, FieldValue>;

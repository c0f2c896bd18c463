/** What somebody typed, as the value of a field. What cannot be read stays as it is, for the protocol's own words. */
import type { InputField, Option } from '@holdpoint/protocol';

export type TypedField = Exclude<InputField, { type: 'file_upload' | 'image_upload' | 'signature' }>;

export const isUploadField = (field: InputField): field is Exclude<InputField, TypedField> =>
  field.type === 'file_upload' || field.type === 'image_upload' || field.type === 'signature';

export function readValue(field: TypedField, typed: string): unknown {
  const text = typed.trim();
  switch (field.type) {
    case 'number':
    case 'rating':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
    case 'checkbox':
    case 'confirm':
      return booleans[text.toLowerCase()] ?? text;
    case 'select':
    case 'radio':
      return optionOf(field.options, text);
    case 'multi_select':
      return text.split(',').map((each) => optionOf(field.options, each.trim()));
    case 'datetime':
      return toInstant(text);
    case 'password':
    case 'text':
    case 'textarea':
      return typed;
    default:
      return text;
  }
}

const booleans: Record<string, boolean> = { y: true, yes: true, true: true, n: false, no: false, false: false };

/** By its value, by its label, or by its place in the list that was shown. */
function optionOf(options: readonly Option[], text: string): string {
  const isNamed = ({ value, label }: Option) => value === text || label.toLowerCase() === text.toLowerCase();
  const named = options.find(({ value }) => value === text) ?? options.find(isNamed);
  const placed = /^\d{1,3}$/.test(text) ? options[Number(text) - 1] : undefined;
  return (named ?? placed)?.value ?? text;
}

/** 2026-11-17 09:30 is meant by the clock of this machine. */
function toInstant(text: string): string {
  const local = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)$/.exec(text);
  const time = local ? new Date(`${local[1]}T${local[2]}`) : undefined;
  return time && Number.isFinite(time.getTime()) ? time.toISOString() : text;
}

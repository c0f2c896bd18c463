/** What the control of a field is given, whatever its type. */
import type { InputField } from '@holdpoint/protocol';
import type { Strings } from '../strings/strings.ts';

export interface FieldProps<F extends InputField = InputField> {
  field: F;
  /** Of the control, or of the group of its controls. */
  id: string;
  value: unknown;
  onChange(value: unknown): void;
  /** Ids of the texts that belong to it: its description, and what is wrong. */
  describedBy: string | undefined;
  isInvalid: boolean;
  strings: Strings;
  uploads: Uploads;
}

/** How a file gets to the server. */
export interface Uploads {
  start(
    field: string,
    file: File | Promise<File>,
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ): Promise<unknown>;
}

/** The attributes that tie a control to its row. */
export const controlAttributes = ({ id, field, describedBy, isInvalid }: FieldProps) => ({
  id,
  name: field.name,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid || undefined,
  'aria-required': field.required || undefined,
});

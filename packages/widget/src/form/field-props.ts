/** The props of every field control. */
import type { InputField } from '@holdpoint/protocol';
import type { Strings } from '../strings/strings.ts';

export interface FieldProps<F extends InputField = InputField> {
  field: F;
  /** The id of the control, or of the group of its controls. */
  id: string;
  value: unknown;
  onChange(value: unknown): void;
  /** The ids of its description and its problem. */
  describedBy: string | undefined;
  isInvalid: boolean;
  strings: Strings;
  uploads: Uploads;
}

/** Sends files to the server. */
export interface Uploads {
  start(
    field: string,
    file: File | Promise<File>,
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ): Promise<unknown>;
}

/** The attributes that connect a control to its row. */
export const controlAttributes = ({ id, field, describedBy, isInvalid }: FieldProps) => ({
  id,
  name: field.name,
  'aria-describedby': describedBy,
  'aria-invalid': isInvalid || undefined,
  'aria-required': field.required || undefined,
});

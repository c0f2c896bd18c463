/** Separates the values of secret fields from those that are stored with an answer. */
import type { FreeObject } from './base-schemas.ts';
import type { Field } from './fields/field.ts';
import { isSecretField } from './fields/input-field.ts';

export function withoutSecrets(
  fields: readonly Field[],
  values: FreeObject,
): { shown: FreeObject; secrets?: FreeObject } {
  const names = new Set(fields.filter(isSecretField).map((field) => (field as { name: string }).name));
  const entries = Object.entries(values);
  if (!entries.some(([name]) => names.has(name))) return { shown: values };
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => names.has(name))),
  };
}

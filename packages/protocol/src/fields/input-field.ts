/** Tells fields apart: those that take input, and those that are secret. */
import type { Field, InputField } from './field.ts';

/** False for heading, paragraph and divider, which only show something. */
export function isInputField(field: Field): field is InputField {
  return field.type !== 'heading' && field.type !== 'paragraph' && field.type !== 'divider';
}

/** Whether the value must never be shown, logged or sent in an event. A password is always secret. */
export function isSecretField(field: Field): boolean {
  return isInputField(field) && (field.type === 'password' || field.secret === true);
}

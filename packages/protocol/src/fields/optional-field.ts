/** Fields without their demand for a value. A file of its own, because most pages do not need it. */
import type { Field } from './field.ts';
import { isInputField } from './input-field.ts';

export const asOptional = (field: Field): Field => (isInputField(field) ? { ...field, required: false } : field);

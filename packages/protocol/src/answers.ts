/** What a page needs to check an answer, and nothing that would make it larger: no schema and no pattern engine. */
export type { Field, InputField } from './fields/field.ts';
export { isInputField, isSecretField } from './fields/input-field.ts';
export { valuesValidator } from './fields/values-validator.ts';
export { visibleFields } from './fields/visible-fields.ts';
export { limits } from './limits.ts';
export type { PatternMatcher } from './pattern.ts';
export { hasSecret } from './payload/has-secret.ts';
export type { Schema, SchemaObject } from './payload/schema-object.ts';
export { pickField } from './pick.ts';
export { type Problem, pointer } from './problem.ts';

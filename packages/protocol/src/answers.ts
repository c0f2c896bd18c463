/** Everything that a page needs to check an answer. Schemas and the pattern engine are left out to keep pages small. */
export { answerLimits } from './answer-limits.ts';
export type { Field, InputField } from './fields/field.ts';
export { isInputField, isSecretField } from './fields/input-field.ts';
export { valuesValidator } from './fields/values-validator.ts';
export { visibleFields } from './fields/visible-fields.ts';
export { coverageOf, offersAlways } from './grant-coverage.ts';
export { hiddenCharacter } from './hidden-character.ts';
export { endedAs } from './outcome.ts';
export type { PatternMatcher } from './pattern.ts';
export type { Schema, SchemaObject } from './payload/schema-object.ts';
export { hasSecret } from './payload/schema-object.ts';
export { pickedOptions, pickField } from './pick.ts';
export { type Problem, pointer } from './problem.ts';
export { visibleParts, visibleText } from './visible-text.ts';
export { votesNeeded } from './votes-needed.ts';

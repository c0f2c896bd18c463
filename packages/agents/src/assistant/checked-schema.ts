/** The schema of a tool's arguments, by which a call is checked before anybody is asked. */
import { sentenceOf, validatePayload } from '@holdpoint/protocol';
import { asSchema, type FlexibleSchema, type JSONSchema7, jsonSchema, type Schema } from 'ai';

/** The AI SDK checks by what it knows, such as zod, and takes a plain JSON Schema unchecked; ours checks that. */
export function checkedSchema(parameters: FlexibleSchema<unknown> | JSONSchema7): Schema<unknown> {
  if (!isJsonSchema(parameters)) return asSchema(parameters);
  return jsonSchema(parameters, {
    validate: (value) => {
      const problems = validatePayload(parameters, value, '');
      return problems.length === 0
        ? { success: true, value }
        : { success: false, error: new Error(sentenceOf(problems)) };
    },
  });
}

function isJsonSchema(parameters: FlexibleSchema<unknown> | JSONSchema7): parameters is JSONSchema7 {
  if (typeof parameters === 'function') return false;
  return !('~standard' in parameters) && !('jsonSchema' in parameters) && !('_def' in parameters);
}

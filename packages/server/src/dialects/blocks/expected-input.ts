/** The JSON Schema of the values a resume sends, and those values as an answer. */
import { defined, type FreeObject, fieldsToJsonSchema, type JsonSchema, type Question } from '@holdpoint/protocol';
import { payloadName } from '../payload-name.ts';

export function expectedSchema(question: Question): JsonSchema {
  const { fields, payloadSchema } = question;
  if (payloadSchema && fields.length === 0) return payloadSchema;
  const schema = fieldsToJsonSchema(fields);
  const name = payloadName(question);
  if (name === undefined) return schema;
  return { ...schema, properties: { ...(schema.properties as object), [name]: payloadSchema } };
}

/** Where a question asks by a schema alone, the values are what it asks for. */
export function toAnswer(question: Question, sent: FreeObject): { values: FreeObject; payload?: unknown } {
  if (question.payloadSchema && question.fields.length === 0) return { values: {}, payload: sent };
  const name = payloadName(question);
  if (name === undefined) return { values: sent };
  const { [name]: payload, ...values } = sent;
  return { values, ...defined({ payload }) };
}

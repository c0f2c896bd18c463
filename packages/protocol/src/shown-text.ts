/** All that a person is shown of a question, as one text. Its hash is the digest that an answer carries. */
import { canonicalJson } from './canonical-json.ts';
import type { Question } from './question.ts';

/** Defaults, options and conditions are in the fields. A part that is added here later is one that older questions do not have. */
export function shownText(question: Question): string {
  const { kind, title, body, content, fields, payloadSchema, recommendations, submitLabel } = question;
  const shown = { kind, title, body, content, fields, payloadSchema, recommendations, submitLabel };
  return canonicalJson({ ...shown, arguments: question.arguments });
}

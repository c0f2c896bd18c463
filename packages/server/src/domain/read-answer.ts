/** Validates the answer of a responder: its values, its decision, and its secrets, which are kept apart. */
import {
  type Answer,
  checkAnswerValues,
  defined,
  type FreeObject,
  type Problem,
  type Question,
  validatePayload,
  withoutSecrets,
} from '@holdpoint/protocol';

export type ReadAnswer =
  | { ok: true; answer: Pick<Answer, 'decision' | 'values' | 'payload' | 'secretFields'>; secrets?: FreeObject }
  | { ok: false; problems: Problem[] };

export function readAnswer(question: Question, sent: { values?: FreeObject; payload?: unknown }): ReadAnswer {
  const checked = checkAnswerValues(question, sent.values ?? {});
  const { isRejected } = checked;
  const isPayloadDue = !isRejected || sent.payload !== undefined;
  const problems = [...(checked.ok ? [] : checked.problems), ...(isPayloadDue ? checkPayload(question, sent) : [])];
  if (!checked.ok || problems.length > 0) return { ok: false, problems };

  const { shown, secrets } = withoutSecrets(question.fields, checked.values);
  return {
    ok: true,
    answer: {
      decision: isRejected ? 'declined' : 'accepted',
      values: shown,
      ...defined({ payload: sent.payload, secretFields: secrets && Object.keys(secrets) }),
    },
    ...defined({ secrets }),
  };
}

function checkPayload(question: Question, sent: { payload?: unknown }): Problem[] {
  if (question.payloadSchema) return validatePayload(question.payloadSchema, sent.payload);
  if (sent.payload === undefined) return [];
  return [{ pointer: '/payload', code: 'not-allowed', message: 'This question needs values, not a payload.' }];
}

/** Whether a call repeats one that another key of the org has made: keys are told apart by the calls they make, tool calls are not. */
import { type Answer, type CreateInteraction, type Interaction, jsonEqual, validateValues } from '@holdpoint/protocol';

/** Fields and recommendations follow from the original, and the label of the button from the metadata. */
export const isSameQuestion = (found: Interaction, asked: CreateInteraction): boolean =>
  jsonEqual(essence(found), essence(asked));

type Essential = 'kind' | 'title' | 'body' | 'responder' | 'run' | 'deadline' | 'metadata' | 'original';

const essence = (question: Partial<Pick<Interaction, Essential>> & { title: string }) => {
  const { kind, title, body, responder, run, deadline, metadata, original } = question;
  const due = deadline && { ...deadline, at: Date.parse(deadline.at) };
  return { kind, title: title.trim(), body, responder, run, due, metadata, original };
};

/** Secret values are in no record, so that nobody can tell whether they are the same. */
export function isSameAnswer(
  { fields, answer }: Interaction,
  sent: { values: Answer['values']; payload?: unknown },
): boolean {
  const read = validateValues(fields, sent.values);
  if (!read.ok || !answer || answer.secretFields) return false;
  const { values, payload } = answer;
  return jsonEqual({ values, payload }, { values: read.values, payload: sent.payload });
}

export function isSameDecline({ answer }: Interaction, reason: string | undefined): boolean {
  return answer?.decision === 'declined' && Object.keys(answer.values).length === 0 && answer.reason === reason;
}

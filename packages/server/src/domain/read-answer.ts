/** Reads what a responder sent against the question: validated values, the decision they amount to, secrets set apart. */
import {
  type Answer,
  type Field,
  type FreeObject,
  isSecretField,
  type Option,
  type Problem,
  pickName,
  type Question,
  validatePayload,
  validateValues,
} from '@holdpoint/protocol';

export type ReadAnswer =
  | { ok: true; answer: Pick<Answer, 'decision' | 'values' | 'payload' | 'secretFields'>; secrets?: FreeObject }
  | { ok: false; problems: Problem[] };

export function readAnswer(question: Question, sent: { values?: FreeObject; payload?: unknown }): ReadAnswer {
  const given = question.kind === 'approval' ? { ...argumentDefaults(question), ...sent.values } : (sent.values ?? {});
  const checked = validateValues(question.fields, given);
  const problems = [...(checked.ok ? [] : checked.problems), ...checkPayload(question, sent)];
  if (!checked.ok || problems.length > 0) return { ok: false, problems };

  const { shown, secrets } = setSecretsApart(question.fields, checked.values);
  const option = pickedOption(question, checked.values);
  return {
    ok: true,
    answer: {
      decision: option?.kind?.startsWith('reject') ? 'declined' : 'accepted',
      values: shown,
      ...(sent.payload === undefined ? {} : { payload: sent.payload }),
      ...(secrets ? { secretFields: Object.keys(secrets) } : {}),
    },
    ...(secrets ? { secrets } : {}),
  };
}

/** The option of a choice or an approval that these values pick, if they pick one. */
export function pickedOption(question: Question, values: FreeObject): Option | undefined {
  const field = pickField(question);
  return field?.options.find((option) => option.value === values[field.name]);
}

export function pickField({ kind, fields }: Question): Extract<Field, { options: unknown }> | undefined {
  const picks = fields.filter((field) => 'options' in field);
  if (kind === 'choice') return picks[0];
  return kind === 'approval' ? picks.find((field) => field.name === pickName.approval) : undefined;
}

/** An approval that leaves an argument alone approves it as proposed. */
function argumentDefaults({ fields }: Question): FreeObject {
  return Object.fromEntries(
    fields.flatMap((field) =>
      'name' in field && 'default' in field && field.default !== undefined ? [[field.name, field.default]] : [],
    ),
  );
}

function checkPayload(question: Question, sent: { payload?: unknown }): Problem[] {
  if (question.payloadSchema) return validatePayload(question.payloadSchema, sent.payload);
  if (sent.payload === undefined) return [];
  return [{ pointer: '/payload', code: 'not-allowed', message: 'This question asks for values, not for a payload.' }];
}

function setSecretsApart(fields: readonly Field[], values: FreeObject): { shown: FreeObject; secrets?: FreeObject } {
  const names = new Set(fields.filter(isSecretField).map((field) => (field as { name: string }).name));
  const entries = Object.entries(values);
  if (!entries.some(([name]) => names.has(name))) return { shown: values };
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !names.has(name))),
    secrets: Object.fromEntries(entries.filter(([name]) => names.has(name))),
  };
}

/** Reads what a responder sent against the question: validated values, the decision they amount to, secrets set apart. */
import {
  type Answer,
  type Field,
  type FreeObject,
  isInputField,
  isSecretField,
  type Problem,
  pickedOptions,
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
  // Who rejects need not fill in what only an approval is asked for.
  const isRejected = pickedOptions(question, given).some(({ kind }) => kind?.startsWith('reject'));
  const checked = validateValues(isRejected ? question.fields.map(asOptional) : question.fields, given);
  const isPayloadDue = !isRejected || sent.payload !== undefined;
  const problems = [
    ...(checked.ok ? checkDecided(question, checked.values) : checked.problems),
    ...(isPayloadDue ? checkPayload(question, sent) : []),
  ];
  if (!checked.ok || problems.length > 0) return { ok: false, problems };

  const { shown, secrets } = setSecretsApart(question.fields, checked.values);
  return {
    ok: true,
    answer: {
      decision: isRejected ? 'declined' : 'accepted',
      values: shown,
      ...(sent.payload === undefined ? {} : { payload: sent.payload }),
      ...(secrets ? { secretFields: Object.keys(secrets) } : {}),
    },
    ...(secrets ? { secrets } : {}),
  };
}

const asOptional = (field: Field): Field => (isInputField(field) ? { ...field, required: false } : field);

/** An approval that leaves an argument alone approves it as proposed. The decision itself is nobody's to propose. */
function argumentDefaults({ fields }: Question): FreeObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (!('name' in field) || !('default' in field) || field.name === pickName.approval) return [];
      return field.default === undefined ? [] : [[field.name, field.default]];
    }),
  );
}

/** Whatever its field says of itself, an approval without a decision is none. */
function checkDecided(question: Question, values: FreeObject): Problem[] {
  if (question.kind !== 'approval' || pickedOptions(question, values).length > 0) return [];
  return [{ pointer: `/values/${pickName.approval}`, code: 'required', message: 'Decide: choose an option.' }];
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

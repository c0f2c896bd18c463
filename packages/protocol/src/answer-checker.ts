/** Checks the values of an answer against its question, by the rules of the question's kind. Has no pattern engine. */
import type { FreeObject } from './base-schemas.ts';
import { asOptional } from './fields/optional-field.ts';
import type { ValidatedValues, ValuesValidator } from './fields/values-validator.ts';
import { pickedOptions, pickName } from './pick.ts';
import type { Question } from './question.ts';

type Asked = Pick<Question, 'kind' | 'fields'>;

export type CheckedAnswer = ValidatedValues & {
  /** An option of kind `reject_…` was picked. */
  isRejected: boolean;
};

export type AnswerChecker = (question: Asked, sent: Readonly<FreeObject>) => CheckedAnswer;

/** Completes the values of an approval with the proposed arguments. A rejection need not fill in required fields. */
export const answerChecker =
  (validate: ValuesValidator): AnswerChecker =>
  (question, sent) => {
    const given = question.kind === 'approval' ? { ...argumentDefaults(question), ...sent } : sent;
    const isRejected = pickedOptions(question, given).some(({ kind }) => kind?.startsWith('reject'));
    const checked = validate(isRejected ? question.fields.map(asOptional) : question.fields, given);
    return { ...(checked.ok ? checkDecided(question, checked) : checked), isRejected };
  };

/** An approval without a value for an argument approves it as proposed. The decision itself has no default. */
function argumentDefaults({ fields }: Asked): FreeObject {
  return Object.fromEntries(
    fields.flatMap((field) => {
      if (!('name' in field) || !('default' in field) || field.name === pickName.approval) return [];
      return field.default === undefined ? [] : [[field.name, field.default]];
    }),
  );
}

/** An approval always needs a decision, even if its field is optional. */
function checkDecided(question: Asked, checked: Extract<ValidatedValues, { ok: true }>): ValidatedValues {
  if (question.kind !== 'approval' || pickedOptions(question, checked.values).length > 0) return checked;
  const message = 'Decide: choose an option.';
  return { ok: false, problems: [{ pointer: `/values/${pickName.approval}`, code: 'required', message }] };
}

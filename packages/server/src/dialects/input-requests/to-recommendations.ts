/** What is recommended there may be anything; what of it answers its field is recommended here too. */
import {
  checkFields,
  type FreeObject,
  type InputField,
  isInputField,
  isSecretField,
  validateValues,
} from '@holdpoint/protocol';
import { isScalar } from './scalar.ts';
import { toValue } from './to-answer.ts';

export function toRecommendations(fields: readonly FreeObject[], sent: FreeObject): FreeObject {
  const checked = checkFields(fields);
  // Fields that are none are refused anyway, with what is wrong with them.
  if (!checked.ok) return {};
  const entries = checked.fields.filter(isInputField).flatMap((field) => {
    const said = Object.hasOwn(sent, field.name) ? sent[field.name] : null;
    const value = said === null ? undefined : recommended(field, said);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(entries);
}

function recommended(field: InputField, sent: unknown): unknown {
  const candidates = isScalar(sent) ? [sent] : [(sent as { value?: unknown }).value].filter(isScalar);
  // Handed on as it is, to be refused: it would stand in the record.
  if (isSecretField(field)) return candidates[0] ?? '';
  return candidates
    .filter((candidate) => candidate !== null && candidate !== undefined && candidate !== '')
    .map((candidate) => toValue(field, candidate))
    .find((value) => answers(field, value));
}

function answers({ visibleIf: _shown, ...field }: InputField, value: unknown): boolean {
  return validateValues([field as InputField], { [field.name]: value }).ok;
}

/** What would be sent to allow something without reading on: only where nothing else has to be filled in. */
import type { Interaction } from '@holdpoint/protocol';
import { pickField, valuesValidator } from '@holdpoint/protocol/answers';
import { initialValues, type Values } from '../form/form-state.ts';

const passAll = () => true;

export function approvalOf(interaction: Interaction): Values | undefined {
  const { kind, fields, recommendations } = interaction;
  const pick = kind === 'approval' ? pickField(interaction) : undefined;
  const allow = pick?.options.find((option) => option.kind === 'allow_once');
  if (!pick || !allow) return undefined;
  const values = { ...initialValues(fields, recommendations), [pick.name]: allow.value };
  return valuesValidator(passAll)(fields, values).ok ? values : undefined;
}

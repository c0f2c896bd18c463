/** The values that approve a request in one step. Only if nothing has to be filled in, and the option is not dangerous. */
import type { Interaction } from '@holdpoint/protocol';
import { pickField, valuesValidator } from '@holdpoint/protocol/answers';
import { initialValues, type Values } from '../form/form-state.ts';

export type { Values };

const passAll = () => true;

/** The inbox asks for every line at every key press, and one version always gives the same result. */
const known = new WeakMap<Interaction, { values: Values | undefined }>();

export function approvalOf(interaction: Interaction): Values | undefined {
  const found = known.get(interaction) ?? { values: readApproval(interaction) };
  known.set(interaction, found);
  return found.values;
}

function readApproval(interaction: Interaction): Values | undefined {
  const { kind, fields, recommendations, payloadSchema } = interaction;
  const pick = kind === 'approval' && !payloadSchema ? pickField(interaction) : undefined;
  const allow = pick?.options.find((option) => option.kind === 'allow_once' && option.variant !== 'danger');
  if (!pick || !allow) return undefined;
  const values = { ...initialValues(fields, recommendations), [pick.name]: allow.value };
  return valuesValidator(passAll)(fields, values).ok ? values : undefined;
}

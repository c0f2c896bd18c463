/** The values of an answer as people read them, without the picked option: labels, and no secrets. */
import type { Interaction } from '@holdpoint/protocol';
import { isSecretField, pickField } from '@holdpoint/protocol/answers';
import type { Values } from '../form/form-state.ts';

export function givenEntries(interaction: Interaction, values: Values): [label: string, value: unknown][] {
  const pick = pickField(interaction)?.name;
  return Object.entries(values)
    .filter(([name, value]) => name !== pick && value !== null && value !== '')
    .map(([name, value]) => labelled(interaction, name, value));
}

function labelled({ fields }: Interaction, name: string, value: unknown): [string, unknown] {
  const field = fields.find((one) => 'name' in one && one.name === name);
  if (!field || !('name' in field)) return [name, value];
  const options = new Map('options' in field ? field.options.map((option) => [option.value, option.label]) : []);
  const shown = [value]
    .flat()
    .map((one) => options.get(one as string) ?? (one as { name?: string } | null)?.name ?? one);
  return [field.label ?? name, isSecretField(field) ? '••••••' : shown.length === 1 ? shown[0] : shown];
}

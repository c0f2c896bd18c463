/** Shows the values of an answer except its picked option: labels instead of names, and secrets only as dots. */
import type { Answer, Interaction } from '@holdpoint/protocol';
import { isSecretField, pickField } from '@holdpoint/protocol/answers';
import type { Strings } from '../strings/strings.ts';
import { Entries } from './arguments.tsx';

export type Given = Partial<Pick<Answer, 'values' | 'payload' | 'reason'>>;

interface GivenValuesProps {
  interaction: Interaction;
  given: Given;
  strings: Strings;
}

export function GivenValues({ interaction, given, strings }: GivenValuesProps) {
  const { values = {}, payload, reason } = given;
  const pick = pickField(interaction)?.name;
  const entries = [
    ...Object.entries(values)
      .filter(([name, value]) => name !== pick && value !== null && value !== '')
      .map(([name, value]): [string, unknown] => labelled(interaction, name, value)),
    ...(payload === undefined ? [] : [['JSON', payload] as [string, unknown]]),
    ...(reason ? [[strings.reason, reason] as [string, unknown]] : []),
  ];
  return entries.length > 0 ? <Entries {...{ entries, strings }} depth={0} /> : null;
}

function labelled({ fields }: Interaction, name: string, value: unknown): [string, unknown] {
  const field = fields.find((one) => 'name' in one && one.name === name);
  if (!field || !('name' in field)) return [name, value];
  const options = new Map('options' in field ? field.options.map((option) => [option.value, option.label]) : []);
  const told = [value]
    .flat()
    .map((one) => options.get(one as string) ?? (one as { name?: string } | null)?.name ?? one);
  return [field.label ?? name, isSecretField(field) ? '••••••' : told.length === 1 ? told[0] : told];
}

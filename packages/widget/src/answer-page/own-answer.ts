/** The person's answer, as lines for the page that a link opens. */
import type { Answer, Interaction } from '@holdpoint/protocol';
import { pickedOptions, visibleText } from '@holdpoint/protocol/answers';
import { givenEntries } from '../request/given-entries.ts';
import type { Words } from './words.ts';

/** A label with its value. The picked option has no label. */
export type Line = readonly [label: string, value: string];

export function linesOf(interaction: Interaction, { values, payload, reason }: Answer, words: Words): Line[] {
  const picked = pickedOptions(interaction, values).map(({ value, label, kind }) => {
    if (value === 'allow' && label === 'Allow' && kind === 'allow_once') return words.allow;
    return value === 'deny' && label === 'Deny' && kind === 'reject_once' ? words.deny : label;
  });
  const entries = givenEntries(interaction, values);
  if (payload !== undefined) entries.push(['JSON', payload]);
  if (reason) entries.push([words.reason, reason]);
  const lines = entries.map(([label, value]): Line => [label, textOf(value)]);
  return [...(picked.length > 0 ? [['', picked.join(', ')] as const] : []), ...lines].map(([label, value]) => [
    visibleText(label),
    visibleText(value),
  ]);
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

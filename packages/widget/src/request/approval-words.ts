/** The options that an approval has where nobody gave any are in English; here they are in the person's language. */
import type { Option } from '@holdpoint/protocol';
import type { Strings } from '../strings/strings.ts';

export function inWords(option: Option, strings: Strings): Option {
  const { value, label, kind } = option;
  if (value === 'allow' && label === 'Allow' && kind === 'allow_once') return { ...option, label: strings.allow };
  if (value === 'deny' && label === 'Deny' && kind === 'reject_once') return { ...option, label: strings.deny };
  return option;
}

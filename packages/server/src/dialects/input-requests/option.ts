/** Options as they are sent: a text, or an object that says what it is by `value`, `id`, `label` or `name`. */
import type { Scalar } from '@holdpoint/mcp';
import { defined, type FreeObject, isObject, type Problem, pointer } from '@holdpoint/protocol';
import { isScalar, textOf } from './scalar.ts';

/** The first that is there is what an answer says, and what a person reads. */
const valueKeys = ['value', 'id', 'label', 'name'];
const labelKeys = ['label', 'name', 'value', 'id'];

/** An empty `value` or `id` is one that does not fit. An empty label is none. */
const valueKeyOf = (option: FreeObject): string | undefined =>
  valueKeys.find((key) => isThere(option[key]) && (option[key] !== '' || key === 'value' || key === 'id'));
const labelKeyOf = (option: FreeObject): string | undefined =>
  labelKeys.find((key) => isThere(option[key]) && option[key] !== '');

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

export function toOption(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const valueKey = valueKeyOf(sent);
  const labelKey = labelKeyOf(sent);
  const { description, recommended } = sent;
  return {
    ...defined({
      value: valueKey ? textOf(sent[valueKey]) : undefined,
      label: labelKey ? readLabel(sent, labelKey) : undefined,
      description: isThere(description) && description !== '' ? description : undefined,
      recommended: isThere(recommended) && recommended !== '' ? recommended : undefined,
    }),
  };
}

/** A label is a text. A value that stands for one may be a number. */
const readLabel = (sent: FreeObject, key: string): unknown =>
  key === valueKeyOf(sent) ? textOf(sent[key]) : sent[key];

/** The value of an option in the words of its sender: a number stays a number. */
export function spelledValue(option: unknown): Scalar | undefined {
  if (typeof option === 'string') return option;
  const key = isObject(option) ? valueKeyOf(option) : undefined;
  const value = key === undefined ? undefined : (option as FreeObject)[key];
  return isScalar(value) ? value : undefined;
}

/** Options that are nothing: of those of our own types, because others may mean anything. */
export function unreadableOptions(fields: readonly FreeObject[], at: string): Problem[] {
  return fields.flatMap(({ type, options }, index) => {
    if ((type !== 'select' && type !== 'radio') || !Array.isArray(options)) return [];
    return options.flatMap((option: unknown, place) => {
      if (typeof option === 'string' || (isObject(option) && valueKeyOf(option))) return [];
      const message = 'An option is a text, or an object with a value, an id, a label or a name.';
      return [{ pointer: pointer(at, index, 'options', place), code: 'option', message }];
    });
  });
}

/** Where a problem of an option lies in what was sent: at the property that was read, or at the text. */
export function optionPlace(fields: readonly FreeObject[], at: string): string {
  const [, field, place, key] = /^\/fields\/(\d+)\/options\/(\d+)\/(value|label)$/.exec(at) ?? [];
  const { options } = fields[Number(field)] ?? {};
  const option: unknown = Array.isArray(options) ? options[Number(place)] : undefined;
  if (key === undefined || option === undefined) return at;
  const whole = at.slice(0, -key.length - 1);
  if (!isObject(option)) return whole;
  const read = key === 'value' ? valueKeyOf(option) : labelKeyOf(option);
  return read === undefined ? whole : pointer(whole, read);
}

/** A field as it was sent, in our vocabulary. What we have no word for is kept by the original alone. */

import type { FreeObject } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { toOption } from './option.ts';
import { scalarOf, textOf } from './scalar.ts';

const typed = ['placeholder', 'pattern', 'minLength', 'maxLength'];

/** What each type takes over besides what all have. A type that is not here is somebody's own. */
const taken: Readonly<Record<string, readonly string[]>> = {
  text: typed,
  email: typed,
  url: typed,
  password: typed,
  textarea: [...typed, 'rows'],
  number: ['placeholder', 'min', 'max'],
  select: [],
  radio: [],
  checkbox: [],
  confirm: ['confirmLabel', 'denyLabel'],
};
const shared = ['name', 'label', 'description', 'required', 'secret'];

export function toField(sent: FreeObject): FreeObject {
  const type = String(sent.type);
  const own = Object.hasOwn(taken, type) ? taken[type] : undefined;
  if (!own) return toCustomField(type, sent);
  const isPick = type === 'select' || type === 'radio';
  return {
    type,
    ...given(sent, [...shared, ...own]),
    ...defined({
      options: isPick && sent.options ? (sent.options as unknown[]).map(toOption) : undefined,
      default: isGiven(sent.defaultValue) ? toDefault(type, sent.defaultValue) : undefined,
    }),
  };
}

/** Of a type we do not know we cannot know what its properties mean, so only what fits is taken over. */
function toCustomField(type: string, sent: FreeObject): FreeObject {
  const texts = given(
    sent,
    ['description', 'placeholder'].filter((key) => typeof sent[key] === 'string'),
  );
  return {
    type: 'custom',
    customType: type,
    ...given(sent, ['name', 'label', 'required']),
    ...texts,
    ...defined({
      secret: sent.secret === true ? true : undefined,
      default: isGiven(sent.defaultValue) ? scalarOf(sent.defaultValue) : undefined,
    }),
  };
}

/** Their clients write every default but that of a checkbox as a text. */
function toDefault(type: string, value: unknown): unknown {
  if (type === 'select' || type === 'radio') return textOf(value);
  if (type !== 'number' || typeof value !== 'string' || value.trim() === '') return value;
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Forms send null or "" for what was left out. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const given = (sent: FreeObject, keys: readonly string[]): FreeObject =>
  Object.fromEntries(keys.filter((key) => isGiven(sent[key])).map((key) => [key, sent[key]]));

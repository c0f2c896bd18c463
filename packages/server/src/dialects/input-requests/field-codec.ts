/** Translates fields, options and values between input requests and our vocabulary. */
import type { Scalar } from '@holdpoint/mcp';
import {
  checkJson,
  defined,
  type FreeObject,
  type InputField,
  isObject,
  limits,
  type Problem,
  pointer,
} from '@holdpoint/protocol';

/** How large it may be is for the rules to say; who nests it too deep must not get as far as that. */
const bounds = { maxBytes: Number.POSITIVE_INFINITY, maxDepth: limits.jsonDepth };

export const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== 'object';

/** Options may be numbers or true and false there; here they are texts. */
export const textOf = (value: unknown): unknown => (isScalar(value) && value !== null ? String(value) : value);

/** A file is told by where it is, and everything else that is not single by its JSON. */
export function scalarOf(value: unknown): Scalar {
  if (isScalar(value)) return value;
  return isFile(value) ? value.url : JSON.stringify(value);
}

const isFile = (value: unknown): value is { url: string } =>
  typeof value === 'object' && value !== null && 'file_id' in value && 'url' in value && typeof value.url === 'string';

/** The other way round; what is no JSON, or none that is kept anywhere, stands for itself. */
export function parsed(value: Scalar): unknown {
  if (typeof value !== 'string') return value;
  try {
    const read: unknown = JSON.parse(value);
    return checkJson(read, bounds).length > 0 ? value : read;
  } catch {
    return value;
  }
}

/** The first that is there is what an answer says, and what a person reads. */
const valueKeys = ['value', 'id', 'label', 'name'];
const labelKeys = ['label', 'name', 'value', 'id'];

/** An empty `value` or `id` is one that does not fit. An empty label is none. */
const valueKeyOf = (option: FreeObject): string | undefined =>
  valueKeys.find((key) => isThere(option[key]) && (option[key] !== '' || key === 'value' || key === 'id'));
const labelKeyOf = (option: FreeObject): string | undefined =>
  labelKeys.find((key) => isThere(option[key]) && option[key] !== '');

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

function toOption(sent: unknown): unknown {
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

export function fromField(field: InputField): FreeObject {
  const { default: proposed, customType = 'text', ...shown } = field as FreeObject;
  return {
    ...shown,
    type: field.type === 'custom' ? customType : field.type,
    ...defined({ defaultValue: proposed === undefined ? undefined : scalarOf(proposed) }),
  };
}

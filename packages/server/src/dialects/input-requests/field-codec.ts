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

/** The domain checks the size. Deeply nested JSON is rejected before it gets there. */
const bounds = { maxBytes: Number.POSITIVE_INFINITY, maxDepth: limits.jsonDepth };

export const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== 'object';

/** Option values may be numbers or booleans in this dialect. Native option values are texts. */
export const textOf = (value: unknown): unknown => (isScalar(value) && value !== null ? String(value) : value);

/** Shows a file as its address, and other objects and lists as JSON. */
export function scalarOf(value: unknown): Scalar {
  if (isScalar(value)) return value;
  return isFile(value) ? value.url : JSON.stringify(value);
}

const isFile = (value: unknown): value is { url: string } =>
  typeof value === 'object' && value !== null && 'file_id' in value && 'url' in value && typeof value.url === 'string';

/** Parses JSON. Other texts, and JSON beyond the bounds, are returned unchanged. */
export function parsed(value: Scalar): unknown {
  if (typeof value !== 'string') return value;
  try {
    const read: unknown = JSON.parse(value);
    return checkJson(read, bounds).length > 0 ? value : read;
  } catch {
    return value;
  }
}

/** The first existing property is the value of the option, and its label. */
const valueKeys = ['value', 'id', 'label', 'name'];
const labelKeys = ['label', 'name', 'value', 'id'];

/** An empty `value` or `id` is invalid. An empty label counts as missing. */
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
  return defined({
    value: valueKey && textOf(sent[valueKey]),
    // A label is a text. A value that is used as a label may be a number.
    label: labelKey && (labelKey === valueKey ? textOf(sent[labelKey]) : sent[labelKey]),
    description: isGiven(description) ? description : undefined,
    recommended: isGiven(recommended) ? recommended : undefined,
  });
}

/** The value of an option as it was sent: a number stays a number. */
export function sentValue(option: unknown): Scalar | undefined {
  if (typeof option === 'string') return option;
  const key = isObject(option) ? valueKeyOf(option) : undefined;
  const value = key === undefined ? undefined : (option as FreeObject)[key];
  return isScalar(value) ? value : undefined;
}

/** Options without a value, in fields of known types. Options of unknown types may have any shape. */
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

/** Translates a pointer into an option: to the property that was read, or to the text. */
export function optionPointer(fields: readonly FreeObject[], at: string): string {
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

/** Properties that each type takes besides the shared ones. Other types are custom. */
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

/** The properties of an unknown type may mean anything, so only those that fit are used. */
function toCustomField(type: string, sent: FreeObject): FreeObject {
  const texts = ['description', 'placeholder'].filter((key) => typeof sent[key] === 'string');
  return {
    type: 'custom',
    customType: type,
    ...given(sent, ['name', 'label', 'required', ...texts]),
    ...defined({
      secret: sent.secret === true ? true : undefined,
      default: isGiven(sent.defaultValue) ? scalarOf(sent.defaultValue) : undefined,
    }),
  };
}

/** Clients send every default as a text, except for checkboxes. */
function toDefault(type: string, value: unknown): unknown {
  if (type === 'select' || type === 'radio') return textOf(value);
  if (type !== 'number' || typeof value !== 'string' || value.trim() === '') return value;
  return Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Forms send null or "" for empty inputs. */
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

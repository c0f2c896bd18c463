/** Turns a part of a schema into a field, and converts its value between the control and the payload. */
import type { InputField } from '@holdpoint/protocol';
import { fromLocal } from '../fields/local-time.ts';
import type { Strings } from '../strings/strings.ts';
import { type Node, type Option, type Schema, textOf } from './node.ts';

export interface Leaf {
  field: InputField;
  /** From the payload to the control. */
  show(value: unknown): unknown;
  /** From the control to the payload. */
  read(shown: unknown): unknown;
}

interface About {
  name: string;
  label: string;
  isRequired: boolean;
  strings: Strings;
}

/** Up to this many options are shown all at once. */
const fewOptions = 5;
/** A text that may be longer than this has several lines. */
const longText = 200;

const same = (value: unknown): unknown => value;

/** Undefined if the part is not a single control. */
export function leafOf(node: Node, { name, label, isRequired, strings }: About): Leaf | undefined {
  const { schema, kind } = node;
  const { examples } = schema;
  const [example] = Array.isArray(examples) ? examples : [];
  const about = {
    ...{ name, label, required: isRequired && !node.isNullable },
    ...given('description', textOf(schema.description)),
    ...given('placeholder', example === undefined || typeof example === 'object' ? undefined : String(example)),
  };
  const leaf = (field: object, show = same, read = same): Leaf => ({
    field: { ...about, ...field } as InputField,
    show,
    read,
  });
  switch (kind) {
    case 'text':
      return textLeaf(schema, leaf);
    case 'number': {
      const isInteger = [schema.type].flat().includes('integer');
      const bounds = { ...given('min', schema.minimum), ...given('max', schema.maximum) };
      return leaf({ type: 'number', integer: isInteger, ...bounds, ...given('step', schema.multipleOf) });
    }
    case 'boolean':
      return leaf({ type: 'checkbox' });
    case 'options': {
      const options = node.options.map((option) => shown(option, strings));
      const type = options.length > fewOptions ? 'select' : 'radio';
      return leaf({ type, options }, written, parsed);
    }
    case 'many': {
      const options = node.options.map((option) => shown(option, strings));
      const bounds = { ...given('minSelections', schema.minItems), ...given('maxSelections', schema.maxItems) };
      const list = (each: (one: unknown) => unknown) => (value: unknown) =>
        Array.isArray(value) ? value.map(each) : undefined;
      return leaf({ type: 'multi_select', options, ...bounds }, list(written), list(parsed));
    }
    default:
      return undefined;
  }
}

function textLeaf(schema: Schema, leaf: (field: object, show?: typeof same, read?: typeof same) => Leaf): Leaf {
  const { format, maxLength, minLength, pattern, writeOnly } = schema;
  if (format === 'password' || writeOnly === true) return leaf({ type: 'password' });
  if (format === 'date') return leaf({ type: 'date' });
  if (format === 'date-time') return leaf({ type: 'datetime' });
  if (format === 'time') return leaf({ type: 'time' }, clockOf, instantOf);
  const bounds = {
    ...given('minLength', minLength),
    ...given('maxLength', maxLength),
    ...given('pattern', pattern),
  };
  if (format === 'email') return leaf({ type: 'email', ...bounds });
  if (format === 'uri') return leaf({ type: 'url', ...bounds });
  return leaf({ type: (maxLength ?? 0) > longText ? 'textarea' : 'text', ...bounds });
}

/** A time in JSON Schema has an offset: the offset of the person's clock today. */
const clockOf = (time: unknown): unknown => (typeof time === 'string' ? time.slice(0, 5) : undefined);
const instantOf = (clock: unknown): unknown => {
  const today = new Date().toISOString().slice(0, 10);
  return fromLocal(`${today}T${String(clock)}`).slice(11);
};

/** The value of an option is its JSON, because options may be of any type. */
const written = (value: unknown): unknown => (value === undefined ? undefined : JSON.stringify(value));
const parsed = (text: unknown): unknown => JSON.parse(String(text));

function shown({ value, label, description }: Option, strings: Strings) {
  const words = value === true ? strings.yes : value === false ? strings.no : undefined;
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return { value: JSON.stringify(value), label: label ?? words ?? text, ...given('description', description) };
}

const given = <K extends string, T>(key: K, value: T | undefined): { [Key in K]?: T } =>
  value === undefined ? {} : ({ [key]: value } as { [Key in K]: T });

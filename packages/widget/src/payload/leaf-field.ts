/** Turns a part of a schema into a field, and converts its value between the control and the payload. */
import { defined, type InputField } from '@holdpoint/protocol';
import { fromLocal } from '../fields/local-time.ts';
import type { Strings } from '../strings/strings.ts';
import { type Node, type Option, type Schema, textOf } from './node.ts';
import type { LabelledProps } from './part.tsx';

export interface Leaf {
  field: InputField;
  /** From the payload to the control. */
  show(value: unknown): unknown;
  /** From the control to the payload. */
  read(shown: unknown): unknown;
}

type About = Pick<LabelledProps, 'name' | 'label' | 'isRequired'> & { strings: Strings };

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
    description: textOf(schema.description),
    placeholder: example === undefined || typeof example === 'object' ? undefined : String(example),
  };
  const leaf: MakeLeaf = (own, show = same, read = same) => {
    const field = defined({ ...about, ...own }) as InputField;
    return { field, show, read };
  };
  switch (kind) {
    case 'text':
      return textLeaf(schema, leaf);
    case 'number': {
      const isInteger = [schema.type].flat().includes('integer');
      const { minimum: min, maximum: max, multipleOf: step } = schema;
      return leaf({ type: 'number', integer: isInteger, min, max, step });
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
      const { minItems: minSelections, maxItems: maxSelections } = schema;
      const list = (each: (one: unknown) => unknown) => (value: unknown) =>
        Array.isArray(value) ? value.map(each) : undefined;
      return leaf({ type: 'multi_select', options, minSelections, maxSelections }, list(written), list(parsed));
    }
    default:
      return undefined;
  }
}

type MakeLeaf = (field: object, show?: Leaf['show'], read?: Leaf['read']) => Leaf;

function textLeaf({ format, maxLength, minLength, pattern, writeOnly }: Schema, leaf: MakeLeaf): Leaf {
  if (format === 'password' || writeOnly === true) return leaf({ type: 'password' });
  if (format === 'date') return leaf({ type: 'date' });
  if (format === 'date-time') return leaf({ type: 'datetime' });
  if (format === 'time') return leaf({ type: 'time' }, clockOf, instantOf);
  const bounds = { minLength, maxLength, pattern };
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
  return { value: JSON.stringify(value), label: label ?? words ?? text, ...defined({ description }) };
}

/** Editing keys in JSON text. Pure: text with a selection in, a replacement out. */
export interface Selected {
  value: string;
  start: number;
  end: number;
}

/** Replaces the text between `from` and `to`, then selects `start` to `end`. */
export interface Edit {
  from: number;
  to: number;
  text: string;
  start: number;
  end: number;
}

const indent = '  ';
const pairs: Record<string, string> = { '{': '}', '[': ']', '"': '"' };

export function edited(at: Selected, key: string, isShift: boolean): Edit | undefined {
  if (key === 'Tab') return isShift || at.start !== at.end ? indented(at, isShift) : typed(at, indent);
  if (key === 'Enter') return newLine(at);
  if (key === 'Backspace') return unpaired(at);
  const { value, start, end } = at;
  // The closing character exists already, so the caret moves over it.
  const isOpening = key === '"' && !isInText(value, start);
  if (start === end && value[start] === key && Object.values(pairs).includes(key) && !isOpening)
    return { from: start, to: start, text: '', start: start + 1, end: start + 1 };
  const closing = pairs[key];
  if (closing === undefined) return undefined;
  const inside = value.slice(start, end);
  // Inside a word a quote is only a quote.
  if (inside === '' && /[^\s,\]}:]/.test(value[end] ?? ' ')) return undefined;
  if (key === '"' && inside === '' && isInText(value, start)) return undefined;
  return { from: start, to: end, text: key + inside + closing, start: start + 1, end: start + 1 + inside.length };
}

function typed({ start, end }: Selected, text: string): Edit {
  const caret = start + text.length;
  return { from: start, to: end, text, start: caret, end: caret };
}

/** Indents or outdents whole lines. */
function indented({ value, start, end }: Selected, isOut: boolean): Edit {
  const from = value.lastIndexOf('\n', start - 1) + 1;
  const lines = value.slice(from, end).split('\n');
  const moved = lines.map((line) => (isOut ? line.replace(/^ {1,2}/, '') : indent + line));
  const text = moved.join('\n');
  const first = (moved[0]?.length ?? 0) - (lines[0]?.length ?? 0);
  return { from, to: end, text, start: Math.max(from, start + first), end: from + text.length };
}

/** Indents like the line before, and one level more after an opening bracket. */
function newLine(at: Selected): Edit {
  const { value, start, end } = at;
  const line = value.slice(value.lastIndexOf('\n', start - 1) + 1, start);
  const [before = ''] = /^ */.exec(line) ?? [];
  const opening = value[start - 1] ?? '';
  if (opening !== '{' && opening !== '[') return typed(at, `\n${before}`);
  const inner = `\n${before}${indent}`;
  const isBetween = value[end] === pairs[opening];
  const caret = start + inner.length;
  return { ...typed(at, isBetween ? `${inner}\n${before}` : inner), start: caret, end: caret };
}

/** Backspace in an empty pair deletes both characters. */
function unpaired({ value, start, end }: Selected): Edit | undefined {
  const opening = value[start - 1] ?? '';
  if (start !== end || start === 0 || pairs[opening] === undefined || pairs[opening] !== value[start]) return undefined;
  return { from: start - 1, to: start + 1, text: '', start: start - 1, end: start - 1 };
}

/** The caret is inside a string if the line has an odd number of quotes before it. */
function isInText(value: string, at: number): boolean {
  const line = value.slice(value.lastIndexOf('\n', at - 1) + 1, at);
  return (line.replaceAll(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
}

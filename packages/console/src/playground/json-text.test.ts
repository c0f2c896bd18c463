import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineOf, objectAt, positionOf, readJson, valueAt, withKey } from './json-text.ts';

const json = fc.jsonValue({ maxDepth: 5 });

describe('readJson', () => {
  it('[CO54] reads the same values as JSON.parse', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const read = readJson(` ${text}\n`);
        expect(read.ok && JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('[CO54] rejects all that JSON.parse rejects, with a position in the text', () => {
    const cut = fc.tuple(json, fc.nat(), fc.constantFrom('', ',', '}', '"', '\\', 'x', ':'));
    fc.assert(
      fc.property(cut, ([value, at, put]) => {
        const whole = JSON.stringify(value, null, 2);
        const where = at % (whole.length + 1);
        const text = whole.slice(0, where) + put + whole.slice(where + 1);
        const read = readJson(text);
        if (read.ok) expect(JSON.stringify(read.value)).toBe(JSON.stringify(JSON.parse(text)));
        else expect(read.offset >= 0 && read.offset <= text.length && read.message.endsWith('.')).toBe(true);
      }),
    );
  });

  it.each([
    ['{\n  "a": 1,\n}', 'Expected a value after the comma.', 2, 9],
    ['{\n  "a" 1\n}', 'Expected a colon after the key.', 2, 7],
    ['{\n  "a": yes\n}', '"yes" is not a value. Write text in double quotes.', 2, 8],
    ['{\n  "a": "b\n}', 'Missing the closing double quote.', 2, 8],
    ['{"a": 1, "a": 2}', 'The key "a" appears twice.', 1, 10],
    ['{"a": [1, 2}', 'Expected a comma or ] before this.', 1, 12],
    ['{"a": 1', 'Missing } at the end.', 1, 1],
    ['', 'Expected a value, but found the end of the text.', 1, 1],
    ['{} {}', 'Unexpected text after the end of the request.', 1, 4],
  ])('[CO54] reports the error of %j and its position', (text, message, line, column) => {
    const read = readJson(text);
    expect(read).toMatchObject({ ok: false, message });
    expect(lineOf(text, read.ok ? -1 : read.offset)).toEqual({ line, column });
  });

  it('[CO54] shows a missing pointer at its nearest parent', () => {
    const text = '{"a": [{"b": 1}]}';
    const read = readJson(text);
    if (!read.ok) throw new Error(read.message);
    const shown = (pointer: string) => {
      const { start, end } = positionOf(read.positions, pointer);
      return text.slice(start, end);
    };
    expect([shown('/a/0/b'), shown('/a/0/c'), shown('/x')]).toEqual(['"b": 1', '{"b": 1}', text]);
    expect(objectAt(read.positions, read.value, text.indexOf('"b"'))).toBe('/a/0');
    expect(objectAt(read.positions, read.value, 1)).toBe('');
    expect(valueAt(withKey(read.value, '/a/0', 'c', true), '/a/0')).toEqual({ b: 1, c: true });
  });
});

import { expect, it } from 'vitest';
import { edited } from './edit-keys.ts';

/** The text contains bars that mark the caret or the selection. */
function press(marked: string, key: string, isShift = false): string | undefined {
  const [start = 0, end = start] = [...marked.matchAll(/\|/g)].map(({ index }, count) => index - count);
  const value = marked.replaceAll('|', '');
  const edit = edited({ value, start, end }, key, isShift);
  if (!edit) return undefined;
  const after = value.slice(0, edit.from) + edit.text + value.slice(edit.to);
  const bars = edit.start === edit.end ? [edit.start] : [edit.end, edit.start];
  return bars.reduce((text, at) => `${text.slice(0, at)}|${text.slice(at)}`, after);
}

it.each([
  ['{|}', 'Enter', '{\n  |\n}'],
  ['  [|', 'Enter', '  [\n    |'],
  ['  "a": 1,|', 'Enter', '  "a": 1,\n  |'],
  ['|', '{', '{|}'],
  ['|', '"', '"|"'],
  ['"a|"', '"', '"a"|'],
  ['"it|"', '{', undefined],
  ['{|}', '}', '{}|'],
  ['|abc|', '[', '[|abc|]'],
  ['|abc', '{', undefined],
  ['"a b|', '"', undefined],
  ['"|"', 'Backspace', '|'],
  ['a|', 'Backspace', undefined],
  ['a|b', 'Tab', 'a  |b'],
  ['|a\nb|', 'Tab', '  |a\n  b|'],
  ['a|', 'x', undefined],
])('[CO55] in %j the key %s produces %j', (before, key, after) => {
  expect(press(before, key)).toBe(after);
});

it('[CO55] Shift+Tab outdents lines', () => {
  expect(press('    a|', 'Tab', true)).toBe('  a|');
  expect(press('  |a\n  b|', 'Tab', true)).toBe('|a\nb|');
});

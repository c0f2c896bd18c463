import { expect, test } from 'vitest';
import { findIn, toWanted } from './search-routes.ts';

test.each([
  ['planet', 'Hello planet!', 'Hello <mark>planet</mark>!'],
  ['PLAN', 'a planet', 'a <mark>planet</mark>'],
  ['hello pla', 'Hello, big planet', '<mark>Hello</mark>, big <mark>planet</mark>'],
  ['hel planet', 'Hello planet', undefined],
  ['cafe', 'Ein Café', 'Ein <mark>Café</mark>'],
  ['img', '<img src=x onerror=alert(1)>', '&lt;<mark>img</mark> src=x onerror=alert(1)&gt;'],
  ['!!', 'a !!', undefined],
  ['absent', 'Hello planet', undefined],
])('%j in %j is %j', (query, message, found) => {
  expect(findIn(message, toWanted(query))).toBe(found);
});

test('of a long message only what is around the first hit is shown', () => {
  const words = Array.from({ length: 100 }, (_, index) => `w${index}`);
  const found = findIn(words.join(' '), toWanted('w50')) ?? '';
  expect(found).toMatch(/^…w45 .* <mark>w50<\/mark> .* w64…$/);
  expect(findIn(`${'x '.repeat(10_000)}end`, toWanted('end'))).toBeUndefined();
});

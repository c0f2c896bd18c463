import type { Interaction } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { steadyList } from './use-steady-list.ts';

const request = (id: string, at?: string) =>
  ({ id, ...(at ? { deadline: { at, outcome: 'expire' } } : {}) }) as Interaction;
const [a, b, urgent] = [request('a'), request('b'), request('c', '2030-01-01T00:00:00Z')] as const;
const away = { isEngaged: false, isBegun: () => false };
const idsOf = (list: readonly Interaction[]) => list.map(({ id }) => id).join('');

test('[WI61] while a person is in the list, closed requests keep their place and new ones come last', () => {
  expect(idsOf(steadyList([a, b], [b, urgent], { ...away, isEngaged: true }))).toBe('abc');
});

test('[WI61] [WI11] otherwise the most urgent request is first, and closed ones disappear', () => {
  expect(idsOf(steadyList([a, b], [b, urgent], away))).toBe('cb');
});

test('[WI60] a request that the person began to answer stays, in its latest version', () => {
  const later = { ...b, title: 'Changed' } as Interaction;
  const list = steadyList([a, b], [later], { ...away, isBegun: (id) => id === 'a' });
  expect(idsOf(list)).toBe('ab');
  expect(list[1]).toBe(later);
});

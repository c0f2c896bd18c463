import { afterEach, expect, test, vi } from 'vitest';
import { newId } from './new-id.ts';

afterEach(() => vi.useRealTimers());

const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

test('an id is a UUIDv7 of the time it was made', () => {
  const before = Date.now();
  const id = newId();
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(timeOf(id)).toBeGreaterThanOrEqual(before);
});

test('ids rise and never repeat, however many are made in a millisecond', () => {
  const ids = Array.from({ length: 100_000 }, newId);
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids go on rising when the clock steps back', () => {
  vi.useFakeTimers({ now: Date.now() + 60_000 });
  const before = newId();
  vi.setSystemTime(Date.now() - 3_600_000);
  const ids = [before, ...Array.from({ length: 10_000 }, newId)];
  expect(ids).toEqual([...ids].sort());
});

import { expect, test } from 'vitest';
import type { Committed } from '../stores/store.ts';
import { conflict, retryOnConflict } from './retry-on-conflict.ts';

test('loads and decides again until no other commit is in between', async () => {
  const results: Committed[] = [conflict, { ok: false, reason: 'conflict' }, { ok: true, events: [] }];
  expect(await retryOnConflict(async () => results.shift() ?? conflict)).toEqual({ ok: true, events: [] });
  expect(results).toEqual([]);
});

test('returns every other result at once', async () => {
  for (const result of [undefined, 'done', null, { reason: 'no-thread' }, { ok: false, reason: 'no-thread' }]) {
    let attempts = 0;
    const attempt = async () => {
      attempts++;
      return result;
    };
    expect(await retryOnConflict(attempt)).toBe(result);
    expect(attempts).toBe(1);
  }
});

test('gives up after 100 conflicts, with a fault that says to retry', async () => {
  let attempts = 0;
  const attempt = async () => {
    attempts++;
    return conflict;
  };
  await expect(retryOnConflict(attempt)).rejects.toMatchObject({ fault: { code: 'busy', retryAfterMs: 1_000 } });
  expect(attempts).toBe(100);
});

test('throws the error of the attempt', async () => {
  await expect(retryOnConflict(() => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
});

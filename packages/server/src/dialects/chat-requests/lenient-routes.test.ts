import { HoldpointError } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { retried } from './lenient-routes.ts';

const beaten = () => new HoldpointError({ code: 'version-conflict', detail: 'D' });

/** Loses the first races. */
const losing = (races: number) => {
  let tries = 0;
  return async () => {
    tries++;
    if (tries <= races) throw beaten();
    return tries;
  };
};

test('a crowd is outlasted', async () => {
  expect(await retried(losing(99))).toBe(100);
});

test('a caller that named no version gets no version conflict, but busy', async () => {
  await expect(retried(losing(100))).rejects.toMatchObject({ fault: { code: 'busy', retryAfterMs: 1_000 } });
});

test('another refusal is one at once', async () => {
  const error = new HoldpointError({ code: 'forbidden', detail: 'D' });
  let tries = 0;
  const refused = retried(async () => {
    tries++;
    throw error;
  });
  await expect(refused).rejects.toBe(error);
  expect(tries).toBe(1);
});

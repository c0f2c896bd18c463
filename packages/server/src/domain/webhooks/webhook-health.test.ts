import { expect, test } from 'vitest';
import { timestamp } from '../state.ts';
import type { StoredWebhook } from './webhook.ts';
import { failingSince, reasonToDisable, showFailing } from './webhook-health.ts';

const hour = 3_600_000;
const attempt = (status: number) => ({ at: timestamp(0), durationMs: 5, status });

test('[WH7] an endpoint fails from the first failure after its last success', () => {
  const since = failingSince(failingSince(undefined, attempt(500), 1), attempt(500), 2);
  expect(since).toBe(1);
  expect(failingSince(since, attempt(200), 3)).toBeUndefined();
});

test('[WH7] it is disabled after three days of failures, and by 410 at once', () => {
  expect(reasonToDisable(attempt(500), undefined, 999 * hour)).toBeUndefined();
  expect(reasonToDisable(attempt(500), 1, 72 * hour)).toBeUndefined();
  expect(reasonToDisable(attempt(500), 1, 72 * hour + 1)).toBe('failing');
  expect(reasonToDisable(attempt(410), 1, 1)).toBe('gone');
});

test('[WH7] the webhook shows failures after a minute, until a success; each is one change', () => {
  const silent = { record: { id: 'w' } } as StoredWebhook;
  expect(showFailing(silent, undefined, 999 * hour)).toBeUndefined();
  expect(showFailing(silent, 1, 60_000)).toBeUndefined();
  const shown = showFailing(silent, 1, 60_001);
  expect(shown).toEqual({ record: { id: 'w', failingSince: timestamp(1) } });
  expect(shown && showFailing(shown, 1, 60_002)).toBeUndefined();
  expect(shown && showFailing(shown, undefined, 60_003)).toEqual(silent);
});

import { expect } from 'vitest';
import type { Reply } from '../../client.ts';

/** Expects the response to a call that needs the database while it is unavailable. */
export function expectAway({ status, headers, body }: Reply<unknown>): void {
  expect(status, JSON.stringify(body)).toBe(503);
  expect(body).toMatchObject({ code: 'storage-unavailable', retryable: true });
  // The response must not reveal the address and the user of the database.
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN|postgres/i);
  expect(headers.get('content-type')).toContain('application/problem+json');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

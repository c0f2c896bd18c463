import { expect } from 'vitest';
import type { Reply } from '../../client.ts';

/** What a caller hears who needs the database while it is away. */
export function expectAway({ status, headers, body }: Reply<unknown>): void {
  expect(status, JSON.stringify(body)).toBe(503);
  expect(body).toMatchObject({ code: 'storage-unavailable', retryable: true });
  // Where the database is, and as whom it is used, is nobody's business.
  expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONN|postgres/i);
  expect(headers.get('content-type')).toContain('application/problem+json');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

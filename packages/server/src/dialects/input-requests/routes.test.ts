import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inputRequests } from './routes.ts';

const page = readFileSync(new URL('../../../../../docs/dialects/input-requests.md', import.meta.url), 'utf8');

test('the page lists every call, and no other', () => {
  const calls = inputRequests.routes.map(({ method, path }) => `${method} ${path}`);
  const listed = [...page.matchAll(/^\| `((?:GET|POST) \S+)` \|/gm)].map(([, call]) => call);
  expect(listed.toSorted()).toEqual(calls.toSorted());
});

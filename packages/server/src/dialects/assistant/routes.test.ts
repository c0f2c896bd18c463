import { readFileSync } from 'node:fs';
import { type ErrorCode, errorTable } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { renderFault } from './fault-codec.ts';
import { assistantTurns } from './routes.ts';

const page = readFileSync(new URL('../../../../../docs/dialects/assistant.md', import.meta.url), 'utf8');

test('the page lists every call, and no other', () => {
  const calls = assistantTurns.routes.map(({ method, path }) => `${method} ${path}`);
  const listed = [...page.matchAll(/^\| `((?:GET|POST|PATCH) \S+)` \|/gm)].map(([, call]) => call);
  expect(listed.toSorted()).toEqual(calls.toSorted());
});

test('[AS1] every fault has one of the codes of the page', () => {
  const codes = [...page.matchAll(/^\| `([a-z_]+)` \| (\d+) \|/gm)].map(([, code, status]) => [Number(status), code]);
  const known = new Map(codes as [number, string][]);
  for (const code of Object.keys(errorTable) as ErrorCode[]) {
    const { status, body } = renderFault({ code, detail: 'D' });
    expect((body as { error: { code: string } }).error.code, code).toBe(known.get(status));
  }
});

test.each([
  ['POST', '/api/v1/chats/c/messages', { message: 'Hi' }, true],
  ['POST', '/api/v1/chats/c/messages', { selectedOptionId: 'a' }, true],
  ['POST', '/api/v1/chats/c/messages', { values: {} }, true],
  ['POST', '/api/v1/chats/c/messages', { role: 'user', message: 'Hi' }, false],
  ['POST', '/api/v1/chats/c/messages', {}, false],
  ['POST', '/api/v1/chats/c/messages', undefined, false],
  ['POST', '/api/v1/chats/c/messages', [], false],
  ['GET', '/api/v1/chats/c/turn', undefined, true],
  ['POST', '/api/v1/chats/c/requests', { message: 'Hi' }, false],
  ['GET', '/api/v1/chats/c/messages', undefined, false],
])('[AS1] %s %s with %j is a turn: %s', (method, path, body, isTurn) => {
  expect(assistantTurns.takes?.({ method, path, body })).toBe(isTurn);
});

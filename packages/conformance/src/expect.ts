/** A few ways to say what a reply must be, with messages that show what it was. */
import { deepStrictEqual } from 'node:assert/strict';
import type { Reply } from './world.ts';

/** Of objects only the expected properties are compared, of lists every entry. */
export function expectLike(actual: unknown, expected: unknown, what = 'it'): void {
  deepStrictEqual(pick(actual, expected), expected, `${what} is ${shown(actual)}, expected ${shown(expected)}`);
}

export function expectStatus(reply: Reply, status: number): void {
  if (reply.status !== status) throw new Error(`status ${reply.status}, expected ${status}: ${shown(reply.body)}`);
}

export function expectReply(reply: Reply, status: number, body: unknown): void {
  expectStatus(reply, status);
  expectLike(reply.body, body, 'the body');
}

function pick(actual: unknown, expected: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(actual))
    return actual.map((entry, index) => (index < expected.length ? pick(entry, expected[index]) : entry));
  if (!isObject(expected) || !isObject(actual)) return actual;
  return Object.fromEntries(
    Object.entries(expected)
      .filter(([name]) => name in actual)
      .map(([name, value]) => [name, pick(actual[name], value)]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 600) ?? 'undefined';

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestStates } from '../src/index.ts';

let now = 1_800_000_000_000;
const secret = new Uint8Array(32).fill(7);
const of = (...boundTo: string[]) => requestStates({ secret, boundTo, now: () => now, use: async () => true });
const round = { interactionId: 'i', digest: 'sha-256:d', mode: 'form' } as const;

test('[AH4] what was sealed is opened as it was, until its hour is over', () => {
  const states = of('org', 'key');
  const sealed = states.seal(round).state;
  expect(states.open(sealed)).toMatchObject(round);
  now += 3_599_999;
  expect(states.open(sealed)).toMatchObject(round);
  now += 1;
  expect(states.open(sealed)).toBeUndefined();
});

test('[AH4] each is one of its own', () => {
  const states = of('org', 'key');
  expect(states.open(states.seal(round).state)?.id).not.toBe(states.open(states.seal(round).state)?.id);
});

test('[AH4] nothing opens but what was sealed for the same caller with the same secret', () => {
  const sealed = of('org', 'key').seal(round).state;
  for (const other of [of('org', 'another'), of('another', 'key'), of('org'), of('orgkey'), of('key', 'org')])
    expect(other.open(sealed)).toBeUndefined();
  const elsewhere = requestStates({
    secret: new Uint8Array(32).fill(8),
    boundTo: ['org', 'key'],
    now: () => now,
    use: async () => true,
  });
  expect(elsewhere.open(sealed)).toBeUndefined();
});

test('[AH4] no other text is opened, also none that differs by one character', () => {
  const states = of('org', 'key');
  const sealed = states.seal(round).state;
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(states.open(text)).toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.string({ minLength: 0, maxLength: 2 }), (at, put) => {
      const changed = sealed.slice(0, at) + put + sealed.slice(at + 1);
      fc.pre(changed !== sealed);
      expect(states.open(changed)).toBeUndefined();
    }),
  );
});

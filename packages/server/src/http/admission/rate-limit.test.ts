import { expect, test } from 'vitest';
import { countedAs, networkOf } from './rate-limit.ts';

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::9', '2001:db8:0:0'],
  ['2001:db8::3:4:5:6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['not an address', 'not an address'],
])('[X40] %s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('[X40] a session is counted by its thread, other persons by their id, keys by theirs', () => {
  const session = (responderId: string, threadId: string) =>
    countedAs({ kind: 'responder', orgId: 'o', responderId, scope: { threadId, isSession: true } });
  expect(session('customer:ada', 't1')).toBe(session('customer:bob', 't1'));
  expect(session('customer:ada', 't1')).not.toBe(session('customer:ada', 't2'));
  const person = (scope: { inbox: true } | { threadId: string }, orgId = 'o') =>
    countedAs({ kind: 'responder', orgId, responderId: 'ada', scope });
  expect(person({ inbox: true })).toBe(person({ threadId: 't1' }));
  expect(person({ inbox: true })).not.toBe(person({ inbox: true }, 'other'));
  const key = (keyId: string) => countedAs({ kind: 'key', orgId: 'o', keyId, role: 'agent' });
  expect(key('a')).not.toBe(key('b'));
});

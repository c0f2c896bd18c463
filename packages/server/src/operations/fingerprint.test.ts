import { expect, test } from 'vitest';
import type { Caller } from '../domain/caller.ts';
import { fingerprintOf, isSameCall, type KeyedCall } from './fingerprint.ts';

const caller: Caller = { kind: 'key', orgId: 'o', keyId: 'k', role: 'admin' };
const input = { title: 'Ä 🙂', metadata: { 10: 'ten', 9: 'nine', a: [1.5, null, { z: 1, b: '\u0000' }] } };
const call: KeyedCall = { verb: 'createThread', caller, input, sent: ['/chats', {}, { name: 'Ä 🙂' }] };
const answering: KeyedCall = { ...call, verb: 'submitAnswer' };

/** Fingerprints as users' data contains them. They must never change. */
const stored = {
  'the first form of version 1': 'QAgPx5rU1jY3U23TVPwqBHfkiVkP3Jbyc_a1GvpaSC8',
  'version 1': 'QwPYGK0iG3UkC3pQlDsW_u7iCxrhR0c2v_MlOzC_omY',
  'version 2': '2:P_DqQsiomOIvTl7B0fQxdfBVurpdOuuS44qsBr2OOVw',
};

test('[I20] a call has the fingerprint that each earlier version stored for it', () => {
  expect(fingerprintOf(call)).toBe(stored['version 2']);
  for (const [name, fingerprint] of Object.entries(stored)) expect(isSameCall(call, fingerprint), name).toBe(true);
});

test('[I2][I20] another call has another fingerprint, in every version', () => {
  const others: KeyedCall[] = [
    { ...call, verb: 'updateThread' },
    { ...call, input: { ...input, title: 'B' }, sent: ['/chats', {}, { name: 'B' }] },
    { ...call, caller: { kind: 'responder', orgId: 'o', responderId: 'k', scope: { inbox: true } } },
  ];
  for (const other of others)
    for (const fingerprint of Object.values(stored)) expect(isSameCall(other, fingerprint)).toBe(false);
  const byAnother: Caller = { ...caller, keyId: 'another' };
  expect(isSameCall({ ...call, caller: byAnother }, fingerprintOf(call))).toBe(true);
  expect(isSameCall({ ...answering, caller: byAnother }, fingerprintOf(answering))).toBe(false);
});

test('[I21] a fingerprint of a newer version cannot be compared', () => {
  expect(isSameCall(call, fingerprintOf(call).replace('2:', '3:'))).toBeUndefined();
});

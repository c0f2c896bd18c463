/** Which answers satisfy which assurance. */
import type { AnswerSignature, Assurance } from '@holdpoint/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ann, ask, at, ben, decideAnswer, decideAsk, hourMs, now } from './asking.fixture.ts';
import { highest, lacksAssurance, proofOf, storedAssurance } from './assurance.ts';
import type { Caller } from './caller.ts';
import type { Proof } from './command.ts';
import { decide } from './decide.ts';

const signature: AnswerSignature = { credentialId: 'a', authenticatorData: 'b', clientDataJSON: 'c', signature: 'd' };
const approval = { kind: 'approval', arguments: { amount: 1 } } as const;
const values = { decision: 'allow' };
const levels: Assurance[] = ['any', 'signed-in', 'passkey'];
const anyProof: fc.Arbitrary<Proof> = fc.record(
  { isSignedIn: fc.boolean(), signature: fc.constant(signature), rejected: fc.constant('No.') },
  { requiredKeys: ['isSignedIn'] },
);
const anyLevel = fc.constantFrom(...levels);
const asked = (assurance: Assurance) => ask({ ...approval, ...storedAssurance(assurance) });

test('[PE140] any is not stored, and the text of the digest has the others', () => {
  expect(asked('any')).toEqual(ask(approval));
  expect(new Set(levels.map((level) => asked(level).digest)).size).toBe(3);
});

test('[PE141] the higher of the two counts', () => {
  fc.assert(
    fc.property(anyLevel, anyLevel, (one, two) => {
      const rank = Math.max(levels.indexOf(one), levels.indexOf(two));
      expect(highest(one, two)).toBe(levels[rank]);
    }),
  );
  expect(highest(undefined, undefined)).toBe('any');
});

test('[PE142] [PE143] a proof satisfies exactly the levels up to its own', () => {
  fc.assert(
    fc.property(anyLevel, anyProof, (level, proof) => {
      const reached = proof.isSignedIn ? (proof.signature ? 2 : 1) : 0;
      const isAccepted = proof.rejected === undefined && reached >= levels.indexOf(level);
      expect(lacksAssurance(asked(level), proof) === undefined).toBe(isAccepted);
    }),
  );
});

test('[PE142] without a proof only any is satisfied', () => {
  expect(levels.map((level) => lacksAssurance(asked(level))?.code)).toEqual([
    ...[undefined, 'assurance-needed', 'assurance-needed'],
  ]);
});

test('[PE142] only a person in a session is signed in', () => {
  const person = { id: 'ann', groups: [] } as unknown as (Caller & { kind: 'person' })['person'];
  const callers: [Caller, boolean][] = [
    [{ kind: 'person', orgId: 'o', person, sessionId: 's', via: 'link' }, true],
    [{ kind: 'key', orgId: 'o', keyId: 'k', role: 'admin' }, false],
    [{ kind: 'key', orgId: 'o', keyId: 'k', role: 'admin', isLocal: true }, false],
    [{ kind: 'responder', orgId: 'o', responderId: 'ann', scope: { inbox: true } }, false],
    [{ kind: 'responder', orgId: 'o', responderId: 'ann', scope: { threadId: 't', isSession: true } }, false],
  ];
  for (const [caller, isSignedIn] of callers) expect(proofOf(caller)).toEqual({ isSignedIn });
});

describe('an answer', () => {
  const answer = (level: Assurance, proof?: Proof, type: 'answer' | 'decline' = 'answer') =>
    decide(
      asked(level),
      { type, answerId: 'a', grantId: 'g', splitId: 's', by: ann, values, ...(proof ? { proof } : {}) } as const,
      now,
    );

  test('[PE146] a vote keeps its signature, also when it declines', () => {
    for (const type of ['answer', 'decline'] as const)
      expect(answer('passkey', { isSignedIn: true, signature }, type)).toMatchObject({
        outcome: { interaction: { status: 'answered', answer: { signature }, votes: [{ signature }] } },
      });
  });

  test('[PE142] a refusal changes nothing, and says what is needed', () => {
    const refused = answer('signed-in');
    expect(refused).toMatchObject({
      ok: false,
      fault: {
        code: 'assurance-needed',
        detail: expect.stringContaining('Sign in'),
        current: { assurance: 'signed-in' },
      },
    });
    expect(answer('passkey', { isSignedIn: true })).toMatchObject({
      fault: { code: 'assurance-needed', detail: expect.stringContaining('signed with a passkey') },
    });
  });

  test('[PE149] a signature that was rejected is refused at every level', () => {
    for (const level of levels)
      expect(answer(level, { isSignedIn: true, rejected: 'It does not fit.' })).toMatchObject({
        fault: { code: 'assurance-needed', detail: 'It does not fit.' },
      });
  });

  test('[PE142] the other rules come first', () => {
    const other = ask({ ...approval, assurance: 'passkey', responder: { type: 'human', assignees: ['cy'] } });
    expect(decideAnswer(other, ben, { values })).toMatchObject({ fault: { code: 'wrong-responder' } });
    expect(decideAnswer(asked('passkey'), ben, { values: { decision: 'maybe' } })).toMatchObject({
      fault: { code: 'invalid-answer' },
    });
  });
});

test('[PE144] a deadline closes such a question without accepting it', () => {
  const deadline = { at: at(now + hourMs), outcome: 'recommended' as const };
  const recommended = { ...approval, recommendations: values, deadline };
  expect(decideAsk(recommended)).toMatchObject({ ok: true });
  for (const assurance of ['signed-in', 'passkey'] as const)
    expect(decideAsk({ ...recommended, assurance })).toMatchObject({
      fault: { code: 'invalid-input', problems: [{ pointer: '/deadline/outcome', code: 'not-allowed' }] },
    });
  for (const outcome of ['expire', 'decline'] as const) {
    const open = ask({ ...recommended, assurance: 'passkey', deadline: { ...deadline, outcome } });
    const closed = decide(open, { type: 'expire', answerId: 'x' }, now + hourMs);
    expect(closed.ok && closed.outcome.interaction.answer?.decision).not.toBe('accepted');
    expect(closed.ok && closed.outcome.interaction.status).not.toBe('pending');
  }
});

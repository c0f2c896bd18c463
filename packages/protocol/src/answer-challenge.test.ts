/** The text that a person signs. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerChallenge, type SignedAnswer } from './answer-challenge.ts';
import { approval } from './builders.ts';
import { checkAnswerValues } from './check-answer-values.ts';
import type { Interaction } from './interaction.ts';
import { jsonEqual } from './json.ts';
import { checkQuestion, type QuestionInput } from './question.ts';
import { challengeOf, challengeOfDecline } from './signing.ts';

const anyAnswer: fc.Arbitrary<SignedAnswer> = fc.record(
  {
    interactionId: fc.string(),
    digest: fc.string(),
    personId: fc.string(),
    decision: fc.constantFrom('accepted' as const, 'declined' as const),
    values: fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Record<string, unknown>>,
    payload: fc.jsonValue() as fc.Arbitrary<unknown>,
    secretFields: fc.uniqueArray(fc.string()),
  },
  { requiredKeys: ['interactionId', 'digest', 'personId', 'decision', 'values'] },
);
const asJson = (answer: SignedAnswer): unknown =>
  JSON.parse(JSON.stringify({ ...answer, secretFields: answer.secretFields?.toSorted() }));

test('[PE145] two answers have the same text only if every part is the same', () => {
  fc.assert(
    fc.property(anyAnswer, anyAnswer, (one, two) => {
      expect(answerChallenge(one) === answerChallenge(two)).toBe(jsonEqual(asJson(one), asJson(two)));
    }),
  );
});

test('[PE145] a change of any one part changes the text', () => {
  fc.assert(
    fc.property(anyAnswer, anyAnswer, fc.nat({ max: 6 }), (one, two, index) => {
      const names = ['interactionId', 'digest', 'personId', 'decision', 'values', 'payload', 'secretFields'] as const;
      const name = names[index] ?? 'values';
      const { [name]: _, ...others } = one;
      const changed = { ...others, ...(name in two ? { [name]: two[name] } : {}) } as SignedAnswer;
      expect(answerChallenge(changed) === answerChallenge(one)).toBe(jsonEqual(asJson(changed), asJson(one)));
    }),
  );
});

test('[PE145] the text is canonical, and has no property without a value', () => {
  const text = answerChallenge({
    ...{ interactionId: 'i', digest: 'd', personId: 'p', decision: 'accepted', values: { b: 1, a: [true] } },
    secretFields: ['z', 'a'],
  });
  expect(text).toBe(
    '{"decision":"accepted","digest":"d","interactionId":"i","personId":"p","secretFields":["a","z"],"v":1,"values":{"a":[true],"b":1}}',
  );
});

const asked = (input: QuestionInput): Interaction => {
  const checked = checkQuestion(input);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return { id: 'i', digest: 'd', ...checked.question } as unknown as Interaction;
};

test('[PE145] a page signs the values that the server stores', () => {
  const question = asked({
    ...approval({ title: 'Pay?', arguments: { amount: 100, to: 'ACME' } }),
    fields: [
      { name: 'amount', type: 'number', default: 100 },
      {
        name: 'why',
        type: 'text',
        required: true,
        visibleIf: { all_of: [{ field: 'amount', op: 'in', value: [600] }] },
      },
      { name: 'pin', type: 'password', pattern: '^[0-9]+$' },
    ],
  });
  for (const values of [
    { decision: 'allow' },
    { decision: 'allow', amount: 90, pin: '12' },
    { decision: 'allow', amount: 600, why: 'urgent' },
    { decision: 'deny', amount: 600 },
    { decision: 'deny', why: ' ' },
  ]) {
    const checked = checkAnswerValues(question, values);
    if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
    const { pin, ...shown } = checked.values;
    expect(challengeOf(question, 'p', { values })).toBe(
      answerChallenge({
        ...{ interactionId: 'i', digest: 'd', personId: 'p', values: shown },
        decision: checked.isRejected ? 'declined' : 'accepted',
        ...(pin === undefined ? {} : { secretFields: ['pin'] }),
      }),
    );
  }
  expect(challengeOf(question, 'p', { values: { decision: 'allow', amount: 600 } })).toBeUndefined();
  expect(challengeOf(question, 'p', { values: { decision: 'perhaps' } })).toBeUndefined();
});

test('[PE146] a decline has a text of its own', () => {
  const question = asked({ title: 'Name?' });
  expect(challengeOfDecline(question, 'p')).toBe(
    '{"decision":"declined","digest":"d","interactionId":"i","personId":"p","v":1,"values":{}}',
  );
});

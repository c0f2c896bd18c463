import {
  approval,
  checkbox,
  choice,
  confirm,
  form,
  input,
  number,
  password,
  text,
  textarea,
  validateValues,
} from '@holdpoint/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchAnswer } from './answer-codec.ts';

const styles = choice([
  { value: 'style_1', label: 'Cinematic' },
  { value: 'style_2', label: 'Minimalist' },
  { value: 'style_3', label: 'Bold & Vibrant' },
]);

test.each([
  ["Let's go with Cinematic", 'style_1'],
  ['style_2', 'style_2'],
  [' STYLE_2 ', 'style_2'],
  ['minimalist', 'style_2'],
  ['Bold & Vibrant', 'style_3'],
  ['bold and vibrant, please!', 'style_3'],
  ['I think “CINEMATIC” would be best.', 'style_1'],
  ['ｃｉｎｅｍａｔｉｃ', 'style_1'],
  ['the second one', 'style_2'],
  ['2', 'style_2'],
  ['#2', 'style_2'],
  ['No. 2', 'style_2'],
  ['number one', 'style_1'],
  ['first', 'style_1'],
  ["I'd like the first one, please", 'style_1'],
  ['3rd', 'style_3'],
  ['the last one', 'style_3'],
  ['Option 3', 'style_3'],
  ['Cinematic, the first one', 'style_1'],
])('[AS4] "%s" picks %s', (said, picked) => {
  expect(matchAnswer(styles, said)).toEqual({ choice: picked });
});

test.each([
  'Cinematic or Minimalist?',
  'Anything but Cinematic',
  'not the second one',
  "I don't like Cinematic",
  'Cinematicals',
  'What does Cinematic mean?',
  'something other than Cinematic',
  'Cinematic is awful',
  'Cinematic if it costs the same',
  'Cinematic, but in blue',
  'Bold',
  'the fourth one',
  '0',
  '#99',
  'wait a second',
  'First, tell me more',
  'I have 2 dogs',
  'What do they cost?',
  'yes',
  '',
  '   ',
  '#',
  'please',
])('[AS4] "%s" picks nothing', (said) => {
  expect(matchAnswer(styles, said)).toBeUndefined();
});

test('[AS4] of labels within each other the longest is meant, and of two equal ones none', () => {
  const plans = choice([
    { value: 'a', label: 'Pro' },
    { value: 'b', label: 'Pro Plus' },
    { value: 'c', label: 'C' },
    { value: 'd', label: 'C++' },
    { value: 'e', label: 'Twin' },
    { value: 'f', label: 'Twin' },
  ]);
  expect(matchAnswer(plans, 'I take the Pro Plus plan')).toEqual({ choice: 'b' });
  expect(matchAnswer(plans, 'I take the Pro plan')).toEqual({ choice: 'a' });
  expect(matchAnswer(plans, 'Pro Plus is too much, Pro will do')).toBeUndefined();
  expect(matchAnswer(plans, 'We write C++ here')).toEqual({ choice: 'd' });
  expect(matchAnswer(plans, 'Twin')).toBeUndefined();
  expect(matchAnswer(plans, 'a Twin one')).toBeUndefined();
});

test('[AS4] accents and scripts without spaces do not matter', () => {
  const looks = choice([
    { value: '1', label: 'Rétro' },
    { value: '2', label: 'シネマ' },
  ]);
  expect(matchAnswer(looks, 'plutôt retro')).toEqual({ choice: '1' });
  expect(matchAnswer(looks, 'シネマでお願いします')).toEqual({ choice: '2' });
});

test('[AS4] an id beats a label, a label beats a place', () => {
  const swapped = choice([
    { value: 'x', label: 'y' },
    { value: 'y', label: 'x' },
    { value: 'z', label: '1' },
  ]);
  expect(matchAnswer(swapped, 'x')).toEqual({ choice: 'x' });
  expect(matchAnswer(swapped, '1')).toEqual({ choice: 'z' });
});

test('[AS4] the very id beats one that differs by a space or by case', () => {
  const alike = choice(['a', 'a ', 'A'].map((value) => ({ value, label: `option ${value.codePointAt(0)}` })));
  for (const value of ['a', 'a ', 'A']) expect(matchAnswer(alike, value)).toEqual({ choice: value });
  expect(matchAnswer(alike, ' a')).toEqual({ choice: 'a' });
});

test('[AS4] many may be picked where many may be picked', () => {
  const many = choice(['Red', 'Green', 'Blue'], { multiple: true, maxSelections: 2 });
  expect(matchAnswer(many, 'red and blue')).toEqual({ choice: ['Red', 'Blue'] });
  expect(matchAnswer(many, 'the first and the last')).toEqual({ choice: ['Red', 'Blue'] });
  expect(matchAnswer(many, 'Green')).toEqual({ choice: ['Green'] });
  expect(matchAnswer(many, 'red, green and blue')).toBeUndefined();
});

describe('[AS4] yes and no', () => {
  const confirmed = form({ sure: confirm() });
  const ticked = form({ sure: checkbox({ required: true }) });
  const approved = approval();
  const yes = [
    'yes',
    'Yes!',
    'y',
    'Sure, go ahead',
    'ok',
    'OK, do it',
    'Sounds good, thanks',
    '👍',
    'true',
    'Of course',
  ];
  const no = ['no', 'No, thanks.', 'nope', 'not now', "Please don't", 'n', 'false', 'never', '👎'];
  const neither = ['Yes, but in blue', 'no problem at all', 'maybe', 'yes and no', 'What is it?', '1', 'first', ''];

  test.each(yes)('"%s" is a yes', (said) => {
    expect(matchAnswer(confirmed, said)).toEqual({ sure: true });
    expect(matchAnswer(ticked, said)).toEqual({ sure: true });
    expect(matchAnswer(approved, said)).toEqual({ decision: 'allow' });
  });
  test.each(no)('"%s" is a no', (said) => {
    expect(matchAnswer(confirmed, said)).toEqual({ sure: false });
    expect(matchAnswer(ticked, said)).toEqual({ sure: false });
    expect(matchAnswer(approved, said)).toEqual({ decision: 'deny' });
  });
  test.each(neither)('"%s" is neither', (said) => {
    expect(matchAnswer(confirmed, said)).toBeUndefined();
    expect(matchAnswer(ticked, said)).toBeUndefined();
  });

  test('[G23] by the words of the buttons, and for good only by those', () => {
    expect(
      matchAnswer(form({ sure: confirm({ confirmLabel: 'Ship it', denyLabel: 'Hold' }) }), "let's ship it"),
    ).toEqual({
      sure: true,
    });
    const always = approval({
      options: [
        { value: 'a', label: 'Always', kind: 'allow_always' },
        { value: 'o', label: 'Once', kind: 'allow_once' },
        { value: 'n', label: 'Never again', kind: 'reject_always' },
      ],
    });
    expect(matchAnswer(always, 'yes')).toEqual({ decision: 'o' });
    expect(matchAnswer(always, 'no')).toBeUndefined();
    expect(matchAnswer(always, 'never again')).toEqual({ decision: 'n' });
    expect(matchAnswer(always, 'always')).toEqual({ decision: 'a' });
    const labelledYes = approval({
      options: [
        { value: 'a', label: 'Yes', kind: 'allow_always' },
        { value: 'n', label: 'No', kind: 'reject_once' },
      ],
    });
    expect(matchAnswer(labelledYes, 'Yes')).toBeUndefined();
    expect(matchAnswer(labelledYes, 'No')).toEqual({ decision: 'n' });
  });
});

test('[AS4] the only field takes the text, if it fits', () => {
  expect(matchAnswer(input(), 'anything at all')).toEqual({ text: 'anything at all' });
  expect(matchAnswer(form({ city: text({ maxLength: 5 }) }), 'Rome')).toEqual({ city: 'Rome' });
  expect(matchAnswer(form({ city: text({ maxLength: 3 }) }), 'Rome')).toBeUndefined();
  expect(matchAnswer(form({ age: number({ min: 18 }) }), ' 21 ')).toEqual({ age: 21 });
  expect(matchAnswer(form({ age: number({ min: 18 }) }), '7')).toBeUndefined();
  expect(matchAnswer(form({ age: number() }), 'old')).toBeUndefined();
  expect(matchAnswer(input(password()), 'hunter2')).toEqual({ text: 'hunter2' });
  expect(matchAnswer(form({ city: text(), street: text() }), 'Rome')).toBeUndefined();
  expect(matchAnswer({ kind: 'form', fields: [], payloadSchema: { type: 'object' } }, 'Rome')).toBeUndefined();
});

describe('an approval with an argument that may be edited', () => {
  const suggestion = approval({
    arguments: { suggestion: 'A reel about the new oven' },
    fields: { suggestion: textarea() },
    options: [
      { value: 'accept', label: 'Accept', kind: 'allow_once' },
      { value: 'skip', label: 'Not this week', kind: 'reject_once' },
    ],
  });

  test.each([
    'accept',
    'Accept!',
    'yes',
    'Yes please',
    'Sounds good, do it',
    'ok, accept it',
    '\u{1f44d}',
    'the first one',
  ])('[AS13] "%s" accepts it as proposed', (said) => {
    expect(matchAnswer(suggestion, said)).toEqual({ decision: 'accept' });
  });

  test.each(['skip', 'no', 'No, thanks', 'Not today', 'not this time', 'Not this week', "don't", '2'])(
    '[AS13] "%s" rejects it',
    (said) => {
      expect(matchAnswer(suggestion, said)).toEqual({ decision: 'skip' });
    },
  );

  test.each([
    'no, do it differently',
    'not yes',
    "don't accept",
    'do not do it, ok',
    "don't stop",
    'do not reject it',
    'yes and no',
    'ok but only on staging',
    'yes, but make it shorter',
    'accept if it is short',
    'yes, once the oven is here',
    'accept the other one',
    'I would accept a video',
    'absolutely not',
    'of course not',
    'ok, wait',
    'Accept?',
    'yes?',
    'ok\u2049',
    'ok\u037e',
    'a\u0336c\u0336c\u0336e\u0336p\u0336t\u0336',
    'Would I accept this',
    'is it accept',
    'no, 1',
    '!yes',
    '!accept',
    '~~yes~~',
    'y\u0336e\u0336s\u0336',
    'yes/no',
    'yes 🙄',
    'say "accept" when it is time',
    'A reel about the old oven',
    'maybe',
    ' ',
  ])('[AS13] "%s" decides nothing', (said) => {
    expect(matchAnswer(suggestion, said)).toBeUndefined();
  });

  test('[AS13] a label that says the opposite of what its option does decides nothing', () => {
    const twisted = approval({
      options: [
        { value: 'a', label: 'No', kind: 'allow_once' },
        { value: 'r', label: 'OK', kind: 'reject_once' },
      ],
    });
    for (const said of ['No', 'no', 'OK', 'yes please, ok']) expect(matchAnswer(twisted, said)).toBeUndefined();
    expect(matchAnswer(twisted, 'Sure, go ahead')).toEqual({ decision: 'a' });
    expect(matchAnswer(form({ sure: confirm({ confirmLabel: 'No' }) }), 'no')).toBeUndefined();
  });

  test('[AS13] a yes is no answer where more must be filled in, and a no is', () => {
    const reasoned = approval({ fields: { reason: text() } });
    expect(matchAnswer(reasoned, 'yes')).toBeUndefined();
    expect(matchAnswer(reasoned, 'no')).toEqual({ decision: 'deny' });
    const broken = approval({ arguments: { share: 200 }, fields: { share: number({ max: 100 }) } });
    expect(matchAnswer(broken, 'yes')).toBeUndefined();
  });

  test('[AS13] an option that approves needs a plain word in a choice as well', () => {
    const chosen = choice([
      { value: 'go', label: 'Deploy', kind: 'allow_once' },
      { value: 'stay', label: 'Hold', kind: 'reject_once' },
    ]);
    expect(matchAnswer(chosen, 'deploy it, please')).toEqual({ choice: 'go' });
    expect(matchAnswer(chosen, 'Ann wanted to deploy')).toBeUndefined();
  });

  test('[AS13] words around a yes that are no part of one keep it from approving', () => {
    const known = fc.constantFrom('yes', 'ok', 'accept', 'do it', 'sounds good', 'please', 'thanks');
    const other = fc.constantFrom(
      ...['not', 'but', 'only', 'if', 'except', 'unless', 'later', 'differently', 'staging', 'half', 'never', 'stop'],
    );
    fc.assert(
      fc.property(
        fc.array(known, { maxLength: 4 }),
        other,
        fc.array(known, { maxLength: 4 }),
        (before, word, after) => {
          const said = [...before, word, ...after].join(' ');
          expect(matchAnswer(suggestion, said)?.decision, said).not.toBe('accept');
        },
      ),
    );
  });
});

const options = fc.uniqueArray(
  fc.record({ value: fc.stringMatching(/^\S.{0,7}$/), label: fc.string({ minLength: 1, maxLength: 12 }) }),
  {
    selector: ({ value }) => value,
    minLength: 1,
    maxLength: 6,
  },
);
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.lorem(), fc.constantFrom('first', '#2', 'yes', 'last one'));

describe('[AS4] whatever is said', () => {
  test('it does not throw, and what it gives is an answer to the question', () => {
    const questions = options.chain((some) =>
      fc.constantFrom(
        choice(some),
        choice(some, { multiple: true }),
        approval(),
        form({ a: confirm() }),
        form({ a: number() }),
      ),
    );
    fc.assert(
      fc.property(questions, anyText, (question, said) => {
        const values = matchAnswer(question, said);
        if (values) expect(validateValues(question.fields, values).ok).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('an exact id is that option', () => {
    fc.assert(
      fc.property(options, fc.nat(), (some, at) => {
        const { value } = some[at % some.length] ?? { value: '' };
        expect(matchAnswer(choice(some), value)).toEqual({ choice: value });
      }),
    );
  });

  test('of one option in words of its own, any sentence around its label picks it', () => {
    const plain = fc.stringMatching(/^[a-z]{3,8}$/).map((word) => `${word}q`);
    // Without a vowel: no word of these turns the sentence round.
    fc.assert(
      fc.property(plain, fc.stringMatching(/^[BCDFGHJKLM ]{0,20}$/), (label, around) => {
        const question = choice([
          { value: 'id_1', label },
          { value: 'id_2', label: 'zz top zz' },
        ]);
        expect(matchAnswer(question, `${around} ${label.toUpperCase()}, ${around}`)).toEqual({ choice: 'id_1' });
      }),
    );
  });
});

test.each([
  "I don't want to allow it",
  "please don't ever allow this",
  'Why would you allow this?',
  'wait before you allow it',
  'allow it only if the backup is done first',
  'allow this for Bob',
])('[AS4] "%s" approves nothing', (said) => {
  const careful = approval({
    options: [
      { value: 'allow', label: 'Allow', kind: 'allow_once' },
      { value: 'deny', label: "Don't allow", kind: 'reject_once' },
    ],
  });
  expect(matchAnswer(careful, said)).toBeUndefined();
  expect(matchAnswer(careful, "don't allow")).toEqual({ decision: 'deny' });
  expect(matchAnswer(careful, 'ok, allow it please')).toEqual({ decision: 'allow' });
});

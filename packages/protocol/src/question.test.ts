import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkShape } from './check-schema.ts';
import { CreateInteractionSchema } from './interaction.ts';
import { checkQuestion, type Question, type QuestionInput } from './question.ts';

function ask(input: QuestionInput): Question {
  const checked = checkQuestion(input);
  if (!checked.ok) throw new Error(`it was refused: ${JSON.stringify(checked.problems)}`);
  return checked.question;
}

function problemsOf(input: QuestionInput): [pointer: string, code: string][] {
  const checked = checkQuestion(input);
  return checked.ok ? [] : checked.problems.map(({ pointer, code }) => [pointer, code]);
}

const text = { name: 'note', type: 'text' };
const secret = { name: 'token', type: 'text', secret: true };
const password = { name: 'pin', type: 'password' };

describe('what a question becomes', () => {
  test('[A1] a title alone asks for one required text', () => {
    expect(ask({ title: ' Which region? ' })).toEqual({
      kind: 'input',
      title: 'Which region?',
      fields: [{ name: 'text', type: 'text', label: ' Which region? ', required: true }],
    });
  });

  test.each(['   ', '\n\t', '\u00a0'])('[A1] the blank title %j is refused', (title) => {
    expect(problemsOf({ title })).toEqual([['/title', 'required']]);
  });

  test.each([
    ['a title of zero width', { title: '\u200b\u2060' }, '/title'],
    ['a title of fillers', { title: '\u3164 \u2800', options: ['a', 'b'] }, '/title'],
    ['a title of tags', { title: '\u{e0041}\u{e0042}', fields: [text] }, '/title'],
    ['an option', { title: 'x', options: [{ value: 'a', label: '\u200b' }, 'b'] }, '/options/0/label'],
    [
      'an option of a field',
      { title: 'x', fields: [{ ...text, type: 'radio', options: ['\u00ad'] }] },
      '/fields/0/options/0/value',
    ],
    ['a label', { title: 'x', fields: [{ ...text, label: '\u202e' }] }, '/fields/0/label'],
    ['a name', { title: 'x', fields: [{ ...text, name: '\u200e' }] }, '/fields/0/name'],
    ['a button', { title: 'x', fields: [{ name: 'a', type: 'confirm', denyLabel: '\ufe0f' }] }, '/fields/0/denyLabel'],
    ['a heading', { title: 'x', fields: [text, { type: 'heading', text: '\u115f' }] }, '/fields/1/text'],
    ['what sends it', { title: 'x', submitLabel: '\u0000' }, '/submitLabel'],
  ])('[X32] %s of which nothing can be seen is refused', (_name, input, place) => {
    expect(problemsOf(input)[0]).toEqual([place, 'required']);
  });

  test('[X32] a text with something to see is taken as it is, whatever else is in it', () => {
    const title = 'invoice \u202egnp.exe \u200b❤️';
    expect(ask({ title, options: ['a\u200b', 'b'] }).title).toBe(title);
  });

  test('[A2] options make a choice, fields and a payloadSchema a form, and neither an input', () => {
    const title = 'x';
    expect(ask({ title, options: ['a'] }).kind).toBe('choice');
    expect(ask({ title, fields: [text] }).kind).toBe('form');
    expect(ask({ title, payloadSchema: { type: 'object' } }).kind).toBe('form');
    expect(ask({ title, options: ['a'], payloadSchema: { type: 'object' } }).kind).toBe('choice');
    expect(ask({ title }).kind).toBe('input');
    expect(ask({ title, kind: 'approval' }).kind).toBe('approval');
  });

  test('[A3] a choice is one required select shown as buttons, answered under choice', () => {
    const { fields } = ask({ title: 'Deploy?', options: ['yes', { value: 'no', label: 'No', variant: 'danger' }] });
    expect(fields).toEqual([
      {
        name: 'choice',
        type: 'select',
        label: 'Deploy?',
        display: 'buttons',
        required: true,
        options: [
          { value: 'yes', label: 'yes' },
          { value: 'no', label: 'No', variant: 'danger' },
        ],
      },
    ]);
  });

  test.each([
    [{ maxSelections: 2 }, { minSelections: 0, maxSelections: 2, required: false }],
    [{ minSelections: 2 }, { minSelections: 2, required: true }],
    [
      { minSelections: 1, maxSelections: 3 },
      { minSelections: 1, maxSelections: 3, required: true },
    ],
  ])('[A3] a choice of several, %o, is a multi_select', (bounds, field) => {
    expect(ask({ title: 'Which?', options: ['a', 'b', 'c'], ...bounds }).fields).toEqual([
      expect.objectContaining({ type: 'multi_select', name: 'choice', display: 'buttons', ...field }),
    ]);
  });

  test.each([{ minSelections: 0 }, { minSelections: 0, maxSelections: 1 }])(
    '[A3] a choice with %o may be left open',
    (bounds) => {
      expect(ask({ title: 'Which?', options: ['a'], ...bounds }).fields).toEqual([
        expect.objectContaining({ type: 'select', required: false }),
      ]);
    },
  );

  test('[A4] an approval without options is Allow and Deny', () => {
    expect(ask({ title: 'Run it?', kind: 'approval' }).fields).toEqual([
      expect.objectContaining({
        name: 'decision',
        type: 'select',
        required: true,
        options: [
          expect.objectContaining({ value: 'allow', kind: 'allow_once' }),
          expect.objectContaining({ value: 'deny', kind: 'reject_once' }),
        ],
      }),
    ]);
  });

  test('[A4] the other fields of an approval are prefilled from its arguments', () => {
    const question = ask({
      title: 'Run it?',
      kind: 'approval',
      arguments: { command: 'ls', cwd: '/', toString: 'x' },
      fields: [
        { name: 'command', type: 'text' },
        { name: 'cwd', type: 'text', default: '/tmp' },
        { name: 'valueOf', type: 'text' },
      ],
    });
    expect(question.fields.slice(1)).toEqual([
      { name: 'command', type: 'text', default: 'ls' },
      { name: 'cwd', type: 'text', default: '/tmp' },
      { name: 'valueOf', type: 'text' },
    ]);
  });

  test('[A4] the decision of an approval is required, however its field was written', () => {
    const decision = { name: 'decision', type: 'select', options: [{ value: 'go', label: 'Go', kind: 'allow_once' }] };
    expect(ask({ title: 'Go?', kind: 'approval', fields: [decision] }).fields).toEqual([
      expect.objectContaining({ name: 'decision', required: true }),
    ]);
  });
});

describe('what a question may not be', () => {
  const title = 'x';
  const allow = { value: 'go', label: 'Go', kind: 'allow_once' };
  const decision = { name: 'decision', type: 'select', options: [allow] };

  test.each<[string, Omit<QuestionInput, 'title'>, [string, string][]]>([
    ['[A3] a choice without options', { kind: 'choice' }, [['/options', 'required']]],
    [
      '[A3] a choice with something else to fill in',
      { options: ['a'], fields: [text], kind: 'choice' },
      [['/options', 'required']],
    ],
    [
      '[A3] a choice whose pick is secret',
      { kind: 'choice', fields: [{ name: 'c', type: 'select', secret: true, options: ['a'] }] },
      [['/fields', 'not-allowed']],
    ],
    [
      '[A3] fewer options than must be selected',
      { options: ['a'], minSelections: 2 },
      [['/minSelections', 'min-selections']],
    ],
    [
      '[A3] more to select than may be',
      { options: ['a', 'b'], minSelections: 2, maxSelections: 1 },
      [['/minSelections', 'order']],
    ],
    ['[A4] an option without a kind', { kind: 'approval', options: ['go'] }, [['/options', 'kind']]],
    [
      '[A4] an option of kind answer',
      { kind: 'approval', fields: [{ ...decision, options: [{ ...allow, kind: 'answer' }] }] },
      [['/fields/0/options', 'kind']],
    ],
    [
      '[A4] a decision of several options at once',
      { kind: 'approval', fields: [{ ...decision, type: 'multi_select' }] },
      [['/fields', 'required']],
    ],
    [
      '[A4] a decision that can be hidden',
      {
        kind: 'approval',
        fields: [{ ...decision, visibleIf: { all_of: [{ field: 'note', op: 'not_empty' }] } }, text],
      },
      [['/fields/0', 'not-allowed']],
    ],
    [
      '[A4] a secret decision',
      { kind: 'approval', fields: [{ ...decision, secret: true }] },
      [['/fields/0', 'not-allowed']],
    ],
    [
      '[A4] a number of decisions to select',
      { kind: 'approval', options: [allow], minSelections: 0, maxSelections: 2 },
      [
        ['/minSelections', 'not-allowed'],
        ['/maxSelections', 'not-allowed'],
      ],
    ],
    ['[A5] an input of two fields', { kind: 'input', fields: [text, secret] }, [['/fields', 'one-field']]],
    [
      '[A5] an input of a heading',
      { kind: 'input', fields: [{ type: 'heading', text: 'Hi' }] },
      [['/fields', 'one-field']],
    ],
    ['[A5] a form of nothing', { kind: 'form' }, [['/fields', 'required']]],
    ['[A5] a form of a heading', { fields: [{ type: 'heading', text: 'Hi' }] }, [['/fields', 'required']]],
    ['[A5] a form of both', { fields: [text], payloadSchema: {} }, [['/payloadSchema', 'not-allowed']]],
    ['[A5] a form with options', { kind: 'form', fields: [text], options: ['a'] }, [['/options', 'not-allowed']]],
    ['[A5] an input with a payloadSchema', { kind: 'input', payloadSchema: {} }, [['/payloadSchema', 'not-allowed']]],
    [
      '[A7] a recommendation that is no option',
      { options: ['a'], recommendations: { choice: 'b' } },
      [['/recommendations/choice', 'option']],
    ],
    [
      '[A7] a recommendation for no field',
      { fields: [text], recommendations: { other: 'b' } },
      [['/recommendations/other', 'unknown-field']],
    ],
    [
      '[A7] a wrong recommendation with a payloadSchema',
      { options: ['a'], payloadSchema: { type: 'object' }, recommendations: { choice: 'b' } },
      [['/recommendations/choice', 'option']],
    ],
    [
      '[A7] a recommendation for a secret',
      { fields: [secret], recommendations: { token: 'b' } },
      [['/recommendations/token', 'secret']],
    ],
    [
      '[A7] a recommendation for a password',
      { fields: [password], recommendations: { pin: 'b' } },
      [['/recommendations/pin', 'secret']],
    ],
    [
      '[A7][AN9] an argument for a secret',
      { kind: 'approval', fields: [secret, password], arguments: { token: 'b', pin: 'c' } },
      [
        ['/arguments/token', 'secret'],
        ['/arguments/pin', 'secret'],
      ],
    ],
  ])('%s is refused', (_what, input, problems) => {
    expect(problemsOf({ title, ...input })).toEqual(problems);
  });

  test('[A5] a choice and an approval take a payloadSchema with their options', () => {
    const payloadSchema = { type: 'object' };
    expect(ask({ title, options: ['a'], payloadSchema })).toHaveProperty('payloadSchema', payloadSchema);
    expect(ask({ title, kind: 'approval', payloadSchema })).toHaveProperty('payloadSchema', payloadSchema);
  });

  test('[A6] every problem is reported at once, each where it was written', () => {
    expect(
      problemsOf({
        title: ' ',
        kind: 'approval',
        options: [{ value: 'a', label: 'A', kind: 'allow_once' }, 7],
        fields: [text, { name: 'when', type: 'moon' }],
        metadata: {},
        payloadSchema: { type: 'nonsense' },
        content: [],
      } as QuestionInput),
    ).toEqual(
      expect.arrayContaining([
        ['/title', 'required'],
        [expect.stringMatching(/^\/options\/1/), expect.any(String)],
        ['/fields/1/type', 'unknown-type'],
        [expect.stringMatching(/^\/payloadSchema/), expect.any(String)],
      ]),
    );
  });

  test('[A6] any fields and options at all are read or refused, never a crash', () => {
    const nearField = fc.record(
      {
        name: fc.constantFrom('decision', 'choice', 'toString', '__proto__', ''),
        type: fc.constantFrom('text', 'select', 'password', 'heading'),
        options: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const input = fc.record(
      {
        title: fc.string(),
        kind: fc.constantFrom('choice', 'input', 'form', 'approval'),
        fields: fc.array(fc.oneof(fc.jsonValue(), nearField), { maxLength: 4 }),
        options: fc.array(fc.oneof(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 4 }),
        minSelections: fc.nat(4),
        maxSelections: fc.integer({ min: 1, max: 4 }),
        arguments: fc.dictionary(fc.constantFrom('decision', 'toString', 'x'), fc.jsonValue()),
        recommendations: fc.dictionary(fc.constantFrom('decision', 'choice', 'x'), fc.jsonValue()),
        payloadSchema: fc.dictionary(fc.string(), fc.jsonValue()),
      },
      { requiredKeys: ['title'] },
    );
    fc.assert(
      fc.property(input, (sent) => {
        const checked = checkQuestion(sent as QuestionInput);
        if (checked.ok) {
          // A stored question reads as itself when it is checked again, as every update does.
          const again = checkQuestion(checked.question as QuestionInput);
          expect(again).toEqual({ ok: true, question: checked.question });
        } else expect(checked.problems.every(({ pointer, message }) => /^(\/|$)/.test(pointer) && message)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('[A7] recommendations need not be complete', () => {
    const fields = [
      { ...text, required: true },
      { name: 'count', type: 'number', required: true },
    ];
    expect(ask({ title, fields, recommendations: { count: 3 } }).recommendations).toEqual({ count: 3 });
  });

  test.each(['tittle', 'option', 'deadLine', '__proto'])('[A9] the unknown property %s is refused', (name) => {
    expect(checkShape(CreateInteractionSchema, { title, [name]: 1 })).toEqual([
      expect.objectContaining({ pointer: `/${name}` }),
    ]);
  });
});

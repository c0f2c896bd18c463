import {
  checkFields,
  checkQuestion,
  defined,
  type Field,
  type FreeObject,
  HoldpointError,
  isInputField,
  type Question,
  type QuestionInput,
  validateValues,
} from '@holdpoint/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryAnswers, arbitraryFields } from '../../../../protocol/test/arbitraries.ts';
import { toAnswer, toResolution } from './answer-codec.ts';
import { arbitraryRequest, asked, interactionOf } from './asked.fixture.ts';
import { toConfig } from './question-codec.ts';
import { toInteraction, toRequest, toUpdate } from './request-codec.ts';
import type { CreateRequest } from './schemas.ts';

const questionOf = (input: QuestionInput): Question => {
  const checked = checkQuestion(input);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.question;
};

/** The question that another client would ask by the config it is shown. */
const askedAgain = (question: Question): Question => {
  const { type, title, config } = toRequest(interactionOf(question));
  return questionOf(toInteraction({ type, title, config }));
};

const choice = (config: FreeObject = {}): CreateRequest => ({
  type: 'choice',
  title: 'Deploy?',
  config: {
    options: [
      { id: 'yes', label: 'Yes' },
      { id: 'no', label: 'No' },
    ],
    ...config,
  },
});

/** The defaults of Opengram for a config that omits them. */
const withDefaults = ({ type, config }: CreateRequest): FreeObject => {
  if (type === 'choice')
    return { ...config, minSelections: config.minSelections ?? 0, maxSelections: config.maxSelections ?? 1 };
  return type === 'form' ? { ...config, submitLabel: config.submitLabel || 'Submit' } : config;
};

describe('asking', () => {
  test('a request is shown as it was sent, with what holds where it says nothing', () => {
    fc.assert(
      fc.property(arbitraryRequest, (sent) => {
        const shown = toRequest(asked(toInteraction(sent)));
        expect(shown).toMatchObject({ type: sent.type, status: 'pending', title: sent.title.trim() });
        expect(shown.config).toStrictEqual(withDefaults(sent));
        expect(shown.body).toBe(sent.body ?? null);
        expect(shown.trace).toStrictEqual(sent.trace ?? null);
      }),
      { numRuns: 1000 },
    );
  });

  test('a request has all that it has there, and the time it expires', () => {
    expect(toRequest(asked(toInteraction(choice())))).toStrictEqual({
      id: 'i',
      chat_id: 't',
      type: 'choice',
      status: 'pending',
      title: 'Deploy?',
      body: null,
      config: withDefaults(choice()),
      created_at: '2030-01-01T00:00:00.000Z',
      resolved_at: null,
      resolved_by: null,
      resolution_payload: null,
      trace: null,
      expires_at: null,
    });
    const expiresAt = '2030-01-02T00:00:00.000Z';
    expect(toRequest(asked(toInteraction({ ...choice(), expiresAt }))).expires_at).toBe(expiresAt);
  });

  test('whoever answers may: a backend resolves too', () => {
    expect(toInteraction(choice()).responder).toEqual({ type: 'any' });
  });

  test.each([
    [{}, { type: 'select', required: false }],
    [
      { minSelections: null, maxSelections: null },
      { type: 'select', required: false },
    ],
    [{ minSelections: 1 }, { type: 'select', required: true }],
    [{ maxSelections: 2 }, { type: 'multi_select', required: false, minSelections: 0, maxSelections: 2 }],
    [{ maxSelections: 9_999 }, { type: 'multi_select', minSelections: 0, maxSelections: 2 }],
    [
      { minSelections: 1, maxSelections: 2 },
      { type: 'multi_select', required: true, minSelections: 1 },
    ],
  ])('a choice with %j picks from a %j', (config, field) => {
    expect(questionOf(toInteraction(choice(config))).fields).toMatchObject([{ name: 'choice', ...field }]);
  });

  test('a text is one required field, and its bounds those of the validation', () => {
    const config = { placeholder: 'x', validation: { minLength: 1, maxLength: null, pattern: '^\\d+$' } };
    expect(toInteraction({ type: 'text_input', title: ' Version ', config })).toMatchObject({
      kind: 'input',
      title: 'Version',
      fields: [
        {
          name: 'text',
          type: 'text',
          label: 'Version',
          required: true,
          placeholder: 'x',
          minLength: 1,
          pattern: '^\\d+$',
        },
      ],
    });
  });

  test('a form takes every type of ours, and leaves words it does not know alone', () => {
    const fields = [
      { name: 'n', type: 'number', min: 1, colour: 'red' },
      { name: 'm', type: 'multiselect', options: ['a'] },
      { type: 'heading', text: 'Hello' },
    ];
    const question = questionOf(toInteraction({ type: 'form', title: 'F', config: { fields, submitLabel: 'Go' } }));
    expect(question).toMatchObject({ kind: 'form', title: 'F', submitLabel: 'Go' });
    expect(question.fields).toStrictEqual([
      { name: 'n', type: 'number', min: 1 },
      { name: 'm', type: 'multi_select', options: [{ value: 'a', label: 'a' }] },
      { type: 'heading', text: 'Hello' },
    ]);
  });

  const refusals: [string, CreateRequest['type'], FreeObject, string[]][] = [
    ['no options', 'choice', {}, ['/config/options required']],
    ['an option that is a text', 'choice', { options: ['a'] }, ['/config/options/0 type']],
    ['an id that is none', 'choice', { options: [{ id: 1, label: 'A' }] }, ['/config/options/0/id type']],
    ['a number that is none', 'choice', { ...choice().config, maxSelections: 0 }, ['/config/maxSelections min']],
    ['a validation that is none', 'text_input', { validation: 'x' }, ['/config/validation type']],
    ['a length that is none', 'text_input', { validation: { maxLength: 0 } }, ['/config/validation/maxLength min']],
    ['no fields', 'form', {}, ['/config/fields required']],
    ['a label that is none', 'form', { fields: [], submitLabel: 1 }, ['/config/submitLabel type']],
  ];

  test.each(refusals)('%s cannot be read', (_what, type, config, expected) => {
    try {
      toInteraction({ type, title: 'T', config });
      expect.unreachable();
    } catch (error) {
      const { code, problems = [] } = (error as HoldpointError).fault;
      expect(code).toBe('invalid-input');
      expect(problems.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual(expected);
    }
  });
});

describe('what was asked in other words', () => {
  test('a form asks the same when it is asked again by the config it is shown with', () => {
    fc.assert(
      fc.property(
        arbitraryFields.filter((fields) => fields.some(isInputField)),
        (sent) => {
          const checked = checkFields(sent);
          const fields = checked.ok ? checked.fields : expect.unreachable();
          expect(askedAgain({ kind: 'form', title: 'F', fields }).fields).toStrictEqual(fields);
        },
      ),
      { numRuns: 500 },
    );
  });

  const value = fc.constantFrom('a', 'b', 'c', 'd');
  const picks = fc
    .record({
      options: fc.uniqueArray(value, { minLength: 1 }),
      minSelections: fc.constantFrom(0, 1, 2),
      maxSelections: fc.constantFrom(undefined, 1, 2, 4),
      ids: fc.array(value, { maxLength: 4 }),
    })
    .filter(({ options, minSelections: min, maxSelections: max }) => min <= Math.min(options.length, max ?? 4));

  test('a choice takes the same payloads when it is asked again', () => {
    fc.assert(
      fc.property(picks, ({ options, minSelections, maxSelections, ids }) => {
        const bounds = { minSelections, ...defined({ maxSelections }) };
        const question = questionOf({ kind: 'choice', title: 'C', options, ...bounds });
        const again = askedAgain(question);
        const take = (one: Question) => validateValues(one.fields, toAnswer(one, { selectedOptionIds: ids }).values).ok;
        expect(take(again)).toBe(take(question));
      }),
      { numRuns: 1000 },
    );
  });

  test('a text has the same bounds when it is asked again', () => {
    const bounds = { placeholder: 'p', minLength: 2, maxLength: 9, pattern: '^a' };
    const field = { name: 'why', type: 'textarea', ...bounds } as Field;
    const question: Question = { kind: 'input', title: 'Why?', fields: [field] };
    expect(toConfig(interactionOf(question))).toEqual({
      placeholder: 'p',
      validation: { minLength: 2, maxLength: 9, pattern: '^a' },
    });
    expect(askedAgain(question).fields).toMatchObject([bounds]);
  });

  test.each([
    ['number', { type: 'number' }],
    ['password', { type: 'password' }],
    ['secret', { type: 'text', secret: true }],
  ])('an input of a %s is a form of one field', (_what, field) => {
    const question = questionOf({ kind: 'input', title: 'I', fields: [{ name: 'x', ...field }] });
    expect(toRequest(interactionOf(question))).toMatchObject({
      type: 'form',
      config: { fields: [{ name: 'x', ...field }] },
    });
  });

  test('options are texts where they are no more than that', () => {
    const plain = { name: 'a', type: 'select', options: ['x', 'y'] };
    const labelled = { name: 'b', type: 'radio', options: [{ value: 'x', label: 'X' }] };
    const { fields } = questionOf({ title: 'F', fields: [plain, labelled] });
    expect(toConfig(interactionOf({ kind: 'form', title: 'F', fields }))).toEqual({
      fields: [plain, labelled],
      submitLabel: 'Submit',
    });
  });

  test('a multi_select is called a multiselect', () => {
    const { fields } = questionOf({ title: 'F', fields: [{ name: 'a', type: 'multi_select', options: ['x'] }] });
    expect(toConfig(interactionOf({ kind: 'form', title: 'F', fields }))).toEqual({
      fields: [{ name: 'a', type: 'multiselect', options: ['x'] }],
      submitLabel: 'Submit',
    });
  });

  test('an approval is a choice, with its arguments beside it', () => {
    const question = questionOf({
      kind: 'approval',
      title: 'Delete?',
      fields: [{ name: 'path', type: 'text' }],
      arguments: { path: '/tmp' },
    });
    expect(toRequest(interactionOf(question))).toMatchObject({
      type: 'choice',
      config: {
        options: [
          { id: 'allow', label: 'Allow', kind: 'allow_once', variant: 'primary' },
          { id: 'deny', label: 'Deny', kind: 'reject_once', variant: 'danger' },
        ],
        minSelections: 1,
        maxSelections: 1,
        fields: [{ name: 'path', type: 'text', default: '/tmp' }],
      },
    });
    const payload = { selectedOptionIds: ['allow'], values: { path: '/var' } };
    const { values = {} } = toAnswer(question, payload);
    expect(values).toEqual({ decision: 'allow', path: '/var' });
    expect(toResolution(question, { values })).toEqual({ selectedOptionIds: ['allow'], values });
  });

  test('the words of another dialect are not shown', () => {
    const { fields } = questionOf({ title: 'F', fields: [{ name: 'a', type: 'text' }] });
    const original = { dialect: 'input-requests', sent: { config: { fields: 'theirs' } } } as const;
    expect(toConfig(interactionOf({ kind: 'form', title: 'F', fields }, { original }))).toEqual({
      fields,
      submitLabel: 'Submit',
    });
  });
});

describe('a original that was not sent here', () => {
  test.each([[{ fields: 'none' }], [{ options: [{ id: 'a', label: 'A' }] }], [{ fields: [], submitLabel: 5 }]])(
    '%j is no config of a form',
    (config) => {
      const { fields } = questionOf({ title: 'F', fields: [{ name: 'a', type: 'text' }] });
      const original = { dialect: 'chat-requests', sent: { config } } as const;
      expect(toConfig(interactionOf({ kind: 'form', title: 'F', fields }, { original }))).toEqual({
        fields,
        submitLabel: 'Submit',
      });
    },
  );
});

describe('answering', () => {
  const known = (payload: FreeObject, sent: CreateRequest) => {
    const question = questionOf(toInteraction(sent));
    const checked = validateValues(question.fields, toAnswer(question, payload).values);
    return checked.ok ? toResolution(question, { values: checked.values }) : undefined;
  };

  test('what is selected comes back in its order', () => {
    const arbitrary = arbitraryRequest
      .filter(({ type }) => type === 'choice')
      .chain((sent) => {
        const { options } = sent.config as { options: { id: string }[] };
        return fc.tuple(fc.constant(sent), fc.shuffledSubarray(options.map(({ id }) => id)));
      });
    fc.assert(
      fc.property(arbitrary, ([sent, selectedOptionIds]) => {
        const { minSelections, maxSelections } = sent.config as { minSelections?: number; maxSelections?: number };
        const count = selectedOptionIds.length;
        const isEnough = count >= (minSelections ?? 0) && count <= (maxSelections ?? 1);
        expect(known({ selectedOptionIds }, sent)).toEqual(isEnough ? { selectedOptionIds } : undefined);
      }),
      { numRuns: 1000 },
    );
  });

  test('a text comes back trimmed', () => {
    const text = fc.string({ minLength: 1 }).filter((words) => words.trim() !== '');
    fc.assert(
      fc.property(text, (text) => {
        expect(known({ text }, { type: 'text_input', title: 'T', config: {} })).toEqual({ text: text.trim() });
      }),
    );
  });

  test('the values of a form come back as they were taken', () => {
    let taken = 0;
    fc.assert(
      fc.property(
        arbitraryAnswers.filter(({ fields }) => fields.some(isInputField)),
        ({ fields, values }) => {
          const question: Question = { kind: 'form', title: 'F', fields };
          const checked = validateValues(fields, toAnswer(question, { values }).values);
          if (!checked.ok) return;
          taken++;
          expect(toResolution(question, checked)).toEqual({ values: checked.values });
          expect(toAnswer(question, toResolution(question, checked))).toEqual({ values: checked.values });
        },
      ),
      { numRuns: 1000 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  const form = { type: 'form', title: 'F', config: { fields: [{ name: 'a', type: 'text' }] } } as const;

  test.each([
    ['choice', choice(), {}, '/selectedOptionIds'],
    ['choice', choice(), { selectedOptionIds: 'yes' }, '/selectedOptionIds'],
    ['choice', choice(), { selectedOptionIds: [1] }, '/selectedOptionIds/0'],
    ['text_input', { type: 'text_input', title: 'T', config: {} } as const, { text: 1 }, '/text'],
    ['form', form, { a: 'x' }, '/values'],
    ['form', form, { values: ['x'] }, '/values'],
  ])('a payload of a %s has its shape (%#)', (_type, sent, payload, pointer) => {
    const question = questionOf(toInteraction(sent));
    expect(() => toAnswer(question, payload)).toThrow(HoldpointError);
    try {
      toAnswer(question, payload);
    } catch (error) {
      expect((error as HoldpointError).fault).toMatchObject({ code: 'invalid-input', problems: [{ pointer }] });
    }
  });
});

describe('what came of it', () => {
  const [at, closedAt] = ['2030-01-01T00:00:01.000Z', '2030-01-01T00:00:01.000Z'];
  const answer = { id: 'a', decision: 'accepted', values: { choice: 'yes' }, at } as const;
  const human = { type: 'human', id: 'ann', via: 'token' } as const;

  test.each([
    ['user', human],
    ['backend', { type: 'system', id: 'backend', via: 'local' }],
    ['backend', { type: 'agent', id: 'key', via: 'key' }],
  ] as const)('an answer is resolved by %s', (resolved_by, by) => {
    const state = { status: 'answered', closedAt, answer: { ...answer, by } } as const;
    expect(toRequest({ ...asked(toInteraction(choice())), ...state })).toMatchObject({
      status: 'resolved',
      resolved_at: closedAt,
      resolved_by,
      resolution_payload: { selectedOptionIds: ['yes'] },
    });
  });

  test.each([
    ['declined', { status: 'answered', answer: { ...answer, values: {}, decision: 'declined', by: human } }],
    ['expired', { status: 'expired' }],
    ['cancelled', { status: 'cancelled' }],
  ] as const)('what was %s is cancelled', (_how, state) => {
    expect(toRequest({ ...asked(toInteraction(choice())), ...state, closedAt })).toMatchObject({
      status: 'cancelled',
      resolved_at: null,
      resolved_by: null,
      resolution_payload: null,
    });
  });
});

test('what was rejected by an option is resolved by it', () => {
  const question = questionOf({ kind: 'approval', title: 'Delete?' });
  const [at, by] = ['2030-01-01T00:00:01.000Z', { type: 'human', id: 'ann', via: 'token' }] as const;
  const answer = { id: 'a', decision: 'declined', values: { decision: 'deny' }, at, by } as const;
  expect(toRequest(interactionOf(question, { status: 'answered', closedAt: at, answer }))).toMatchObject({
    status: 'resolved',
    resolved_at: at,
    resolved_by: 'user',
    resolution_payload: { selectedOptionIds: ['deny'], values: { decision: 'deny' } },
  });
});

describe('changing', () => {
  const interaction = asked(toInteraction(choice()));

  test('the payload schema stays', () => {
    const fields: FreeObject[] = [];
    const payloadSchema = { type: 'object', properties: { n: { type: 'number' } } };
    const form = asked(toInteraction({ type: 'form', title: 'F', config: { fields, payloadSchema } }));
    expect(toUpdate(form, { config: { fields, payloadSchema: structuredClone(payloadSchema) } })).toBeDefined();
    for (const config of [{ fields, payloadSchema: { type: 'string' } }, { fields: [{ name: 'a', type: 'text' }] }]) {
      const problems = [expect.objectContaining({ pointer: '/config/payloadSchema', code: 'not-allowed' })];
      expect(() => toUpdate(form, { config })).toThrow(
        expect.objectContaining({ fault: expect.objectContaining({ code: 'invalid-input', problems }) }),
      );
    }
  });

  test('new words take the config along', () => {
    expect(toUpdate(interaction, { title: 'Sure?' })).toEqual({
      expectedVersion: 1,
      title: 'Sure?',
      original: interaction.original,
    });
    expect(toUpdate(interaction, { body: null, trace: null })).toMatchObject({ body: null, trace: null });
  });

  test('a new config is a new field', () => {
    const config = { options: [{ id: 'go', label: 'Go' }], minSelections: 1 };
    expect(toUpdate(interaction, { config })).toMatchObject({
      fields: [{ name: 'choice', type: 'select', required: true, label: 'Deploy?', options: [{ value: 'go' }] }],
      original: { dialect: 'chat-requests', sent: { config } },
    });
  });

  test('the names that an answer goes by stay', () => {
    const pick = { name: 'where', type: 'select', options: ['a'] };
    const picked = interactionOf(questionOf({ kind: 'choice', title: 'C', fields: [pick] }));
    expect(toUpdate(picked, { config: choice().config })).toMatchObject({ fields: [{ name: 'where' }] });
    const why = { name: 'why', type: 'textarea' } as Field;
    const text = interactionOf({ kind: 'input', title: 'Why?', fields: [why] });
    expect(toUpdate(text, { config: { placeholder: 'x' } })).toMatchObject({
      fields: [{ name: 'why', type: 'textarea', placeholder: 'x' }],
    });
  });

  test('a config of another type is refused', () => {
    expect(() => toUpdate(interaction, { config: { fields: [{ name: 'a', type: 'text' }] } })).toThrow(HoldpointError);
  });
});

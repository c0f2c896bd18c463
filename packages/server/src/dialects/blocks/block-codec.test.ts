import {
  approval,
  type Block,
  cardChoice,
  checkQuestion,
  choice,
  confirm,
  datetime,
  type Field,
  fieldSchemas,
  form,
  heading,
  input,
  isInputField,
  type LogEvent,
  type Message,
  password,
  type Question,
  type QuestionInput,
  type Run,
  rating,
  text,
  validatePayload,
  validateValues,
} from '@holdpoint/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryAnswers } from '../../../../protocol/test/arbitraries.ts';
import { expectedSchema, readWaitToken, toAnswer, toWaitToken } from './answer-codec.ts';
import { questionBlocks, toBlocks, toField } from './block-codec.ts';
import { firstSeq, messagesSince, type Said } from './executions.ts';

const theirs = new Set(
  'text textarea email tel url number date checkbox select radio multi_select rating file_upload image_upload signature heading paragraph divider'.split(
    ' ',
  ),
);

function stored(asked: object): Question & { id: string } {
  const checked = checkQuestion(asked as QuestionInput);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return { id: 'q1', ...checked.question };
}

describe('fields', () => {
  test('[BL5] each of ours is shown as a type that every widget knows, with its name and its words', () => {
    const met = new Set<string>();
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields }) => {
        for (const field of fields) {
          met.add(field.type);
          const shown = toField(field);
          expect(theirs).toContain(shown.type);
          if (!isInputField(field)) expect(shown).toEqual(field);
          else expect(shown).toMatchObject({ name: field.name, required: expect.any(Boolean) });
          expect(shown.visibleIf).toEqual(field.visibleIf);
        }
      }),
    );
    expect(met).toEqual(new Set(Object.keys(fieldSchemas)));
  });

  test('[BL5] says what goes without saying here', () => {
    expect(toField({ type: 'rating', name: 'r', required: true })).toEqual({
      type: 'rating',
      name: 'r',
      required: true,
      maxStars: 5,
      ratingIcon: 'star',
    });
    expect(toField({ type: 'image_upload', name: 'i', maxSizeMb: 5, multiple: true, retention: 'transient' })).toEqual({
      type: 'image_upload',
      name: 'i',
      required: false,
      accept: ['image/*'],
      maxSizeMb: 5,
      multiple: true,
      retention: 'transient',
    });
    const option = { value: 'a', label: 'A', description: 'The first', variant: 'primary' as const };
    expect(toField({ type: 'select', name: 's', options: [option], display: 'buttons' })).toEqual({
      type: 'select',
      name: 's',
      required: false,
      options: [{ value: 'a', label: 'A', description: 'The first' }],
    });
  });

  test('[BL5] what no widget knows is shown as the nearest, and says what it is', () => {
    expect(toField({ type: 'password', name: 'p', required: true, secret: true })).toMatchObject({
      type: 'text',
      secret: true,
      meta: { type: 'password' },
    });
    expect(toField({ type: 'confirm', name: 'c', required: true })).toMatchObject({
      type: 'checkbox',
      required: false,
      meta: { type: 'confirm' },
    });
    expect(toField({ type: 'time', name: 't', meta: { a: 1 } })).toMatchObject({ meta: { a: 1, type: 'time' } });
  });
});

describe('expectedInput.schema', () => {
  test('[BL5] accepts what we accept, as it is kept, and the values come through unchanged', () => {
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields, values }) => {
        fc.pre(fields.some(isInputField));
        const question = stored({ kind: 'form', title: 'Fill in', fields: fields as Field[] });
        const schema = expectedSchema(question);
        const inputs = fields.filter(isInputField).map(({ name }) => name);
        expect(Object.keys(schema.properties as object).toSorted()).toEqual(inputs.toSorted());
        const checked = validateValues(fields, values);
        fc.pre(checked.ok);
        if (!checked.ok) return;
        expect(validatePayload(schema, checked.values)).toEqual([]);
        expect(toAnswer(question, checked.values)).toEqual({ values: checked.values });
      }),
    );
  });

  test('[BL5] a question that asks by a schema is answered by what it describes', () => {
    const payloadSchema = { type: 'object', properties: { a: { type: 'integer' } } };
    const alone = stored({ kind: 'form', title: 'Which?', payloadSchema });
    expect(expectedSchema(alone)).toEqual(payloadSchema);
    expect(toAnswer(alone, { a: 1 })).toEqual({ values: {}, payload: { a: 1 } });
    const beside = stored({ kind: 'choice', title: 'Which?', options: ['a', 'b'], payloadSchema });
    expect(expectedSchema(beside)).toMatchObject({ properties: { choice: {}, payload: payloadSchema } });
    expect(toAnswer(beside, { choice: 'a', payload: { a: 1 } })).toEqual({
      values: { choice: 'a' },
      payload: { a: 1 },
    });
  });
});

describe('questions', () => {
  test('[BL4] a choice is a choice block named as its field', () => {
    const one = stored(choice(['a', { value: 'b', label: 'B' }], { title: 'Which?', body: 'Pick *one*.' }));
    expect(questionBlocks(one)).toEqual([
      { id: 'q1:body', type: 'message', payload: { role: 'agent', text: 'Pick *one*.', format: 'markdown' } },
      {
        id: 'q1',
        type: 'choice',
        payload: {
          name: 'choice',
          title: 'Which?',
          options: [
            { value: 'a', label: 'a' },
            { value: 'b', label: 'B' },
          ],
        },
      },
    ]);
    const many = stored(choice(['a', 'b'], { multiple: true }));
    expect(questionBlocks(many)).toMatchObject([{ type: 'choice', payload: { multiple: true } }]);
  });

  test('[BL4] a choice that shows something too, an input and an approval are forms', () => {
    const fields = [{ type: 'heading', text: 'Now' }, ...choice(['a', 'b']).fields];
    expect(questionBlocks(stored({ kind: 'choice', title: 'Which?', fields }))).toMatchObject([
      { id: 'q1', type: 'form', payload: { title: 'Which?', submit_label: 'Submit' } },
    ]);
    expect(questionBlocks(stored(input(text(), { submitLabel: 'Send' })))).toMatchObject([
      { type: 'form', payload: { fields: [{ name: 'text' }], submit_label: 'Send' } },
    ]);
    const mail = approval({
      title: 'Send?',
      arguments: { to: 'a@b.co', n: 2, subject: 'Hi' },
      fields: { subject: text() },
    });
    expect(questionBlocks(stored(mail))).toMatchObject([
      {
        type: 'form',
        payload: {
          fields: [
            { type: 'paragraph', text: 'to: a@b.co\nn: 2' },
            { name: 'decision', type: 'select' },
            { name: 'subject', default: 'Hi' },
          ],
        },
      },
    ]);
  });

  test('[BL4] a card whose actions are the options is the question', () => {
    const card = {
      title: 'Plan B',
      text: 'Cheaper',
      image: 'https://acme.com/b.png',
      actions: [
        { label: 'Take it', value: 'take' },
        { label: 'More', url: 'https://acme.com/b' },
        { label: 'No', value: 'no' },
      ],
    };
    const question = stored(cardChoice(card));
    expect(questionBlocks(question)).toEqual([{ id: 'q1', type: 'card', payload: card }]);
    expect(expectedSchema(question)).toMatchObject({
      properties: { action: { oneOf: [{ const: 'take' }, { const: 'no' }] } },
    });
    const short = { ...question, content: [{ type: 'card', payload: { ...card, actions: card.actions.slice(0, 2) } }] };
    expect(questionBlocks(short).map(({ type }) => type)).toEqual(['card', 'choice']);
  });
});

describe('what is said', () => {
  const block = (type: string, payload: object): Block => ({ type, payload: payload as Block['payload'] });

  test('[BL4] every block type passes with an id of its own, and unknown ones as they are', () => {
    const blocks = [
      { ...block('message', { text: 'Hi', format: 'markdown' }), id: 'same' },
      { ...block('message', { text: 'Plain' }), id: 'same', meta: { source: 'x' } },
      block('link', { label: 'Shop', url: 'https://acme.com' }),
      block('image', { url: '/v1/files/1/content', alt: 'A cat', width: 10 }),
      block('card', { title: 'A', text: 'B', actions: [{ label: 'Go', url: 'https://acme.com' }] }),
      block('hologram', { x: [1] }),
    ];
    expect(toBlocks(blocks, 'm1')).toEqual([
      { id: 'm1:0', type: 'message', payload: { role: 'agent', text: 'Hi', format: 'markdown' } },
      {
        id: 'm1:1',
        type: 'message',
        payload: { role: 'agent', text: 'Plain', format: 'plain' },
        meta: { source: 'x' },
      },
      { id: 'm1:2', ...blocks[2] },
      { id: 'm1:3', ...blocks[3] },
      { id: 'm1:4', ...blocks[4] },
      { id: 'm1:5', ...blocks[5] },
    ]);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '',
    7,
    undefined,
  ])('[BL4] nothing leads to %j', (url) => {
    const actions = [
      { label: 'Bad', url },
      { label: 'Good', value: 'ok' },
    ];
    const shown = toBlocks(
      [
        block('link', { label: 'x', url }),
        block('image', { alt: 'x', url }),
        block('card', { title: 'x', image: url, actions }),
      ],
      'm1',
    );
    expect(shown).toEqual([
      { id: 'm1:2', type: 'card', payload: { title: 'x', actions: [{ label: 'Good', value: 'ok' }] } },
    ]);
  });

  test('[BL12] a link or an action without words is named by where it leads', () => {
    const url = 'https://acme.com/';
    const shown = toBlocks(
      [
        block('link', { url }),
        block('image', { url }),
        block('card', { actions: [{ url }, { value: 'ok', label: '' }] }),
      ],
      'm1',
    );
    expect(shown.map(({ payload }) => payload)).toEqual([
      { url, label: url },
      { url, alt: '' },
      {
        actions: [
          { url, label: url },
          { value: 'ok', label: 'ok' },
        ],
      },
    ]);
  });

  test.each([
    {},
    { title: '' },
    { text: 7, title: null },
    { image: 'x:y' },
    { image: {}, actions: [{ label: 'x' }, 7] },
  ])('[BL12] a card of %j is none', (payload) => {
    expect(toBlocks([block('card', payload)], 'm1')).toEqual([]);
  });

  test('[BL4] a message without text is none', () => {
    expect(
      toBlocks([block('message', {}), block('message', { text: '' }), block('message', { text: 1 })], 'm'),
    ).toEqual([]);
  });
});

describe('the log', () => {
  const run = { id: 'r1', fromSeq: 2, deliveredSeq: 4 } as Run;
  let seq = 0;
  const event = (type: LogEvent['type'], data: object, more: object = {}): LogEvent =>
    ({ seq: ++seq, type, data, actor: { type: 'agent', id: 'a' }, ...more }) as unknown as LogEvent;
  const said = (id: string, more: Partial<Message> = {}) => ({
    message: { id, role: 'agent', blocks: [{ type: 'message', payload: { text: id } }], ...more },
  });
  const read = (events: LogEvent[], of = run): string[] => {
    seq = 0;
    return messagesSince({ blocks: [], isOver: false } satisfies Said, of, events).blocks.map(({ id }) => id);
  };
  const human = { actor: { type: 'human', id: 'h' } };

  test('[BL3] a reply is what was said since the person last said or answered something', () => {
    expect(
      read([
        event('message.created', said('before')),
        event('message.created', said('question', { role: 'user' })),
        event('message.created', said('asked')),
        event('interaction.answered', {}, human),
        event('message.created', said('one')),
        event('telemetry.recorded', {}),
        event('message.created', said('tool', { role: 'tool' })),
        event('message.created', said('half', { state: 'streaming' })),
        event('message.created', said('next question', { role: 'user' })),
        event('message.completed', said('half')),
        event('run.completed', { run: { id: 'r0' } }),
        event('message.cancelled', said('cut', { state: 'cancelled' })),
        event('run.completed', { run }),
        event('message.created', said('of another run')),
      ]),
    ).toEqual(['one:0', 'half:0', 'cut:0']);
  });

  test('[BL3] what was said before a time that woke the run belongs to the same reply', () => {
    const woken = { ...run, deliveredSeq: 4 };
    expect(firstSeq(woken, 200)).toBe(1);
    expect(
      read(
        [
          event('message.created', said('hello', { role: 'user' })),
          event('message.created', said('one')),
          event('interaction.declined', {}, { actor: { type: 'system', id: 'deadline', via: 'deadline' } }),
          event('run.woken', { run: woken }),
          event('message.created', said('two')),
        ],
        woken,
      ),
    ).toEqual(['one:0', 'two:0']);
  });

  test('[BL3] a run that is done again begins anew', () => {
    expect(
      read([
        event('message.created', said('failed attempt')),
        event('run.failed', { run: { id: 'r0' } }),
        event('run.started', { run }),
        event('message.created', said('again')),
      ]),
    ).toEqual(['again:0']);
  });
});

describe('wait tokens', () => {
  test('[BL6] name what is waited for, and nothing else is one', () => {
    for (const awaited of [{ interactionId: '01a1-e2' }, { afterSeq: 17 }])
      expect(readWaitToken(toWaitToken(awaited))).toEqual(awaited);
    fc.assert(fc.property(fc.string(), (token) => readWaitToken(`x${token}`) === undefined));
    for (const odd of ['', 'question.', 'message.x', 'message.-1', `message.${'9'.repeat(16)}`, 'Question.a'])
      expect(readWaitToken(odd)).toBeUndefined();
  });
});

test('[BL4] a form of builders is shown whole', () => {
  const asked = form({ about: heading('You'), when: datetime(), ok: confirm(), pin: password(), stars: rating() });
  expect(questionBlocks(stored(asked))).toMatchObject([
    { payload: { fields: [{ type: 'heading' }, { name: 'when' }, { name: 'ok' }, { secret: true }, { maxStars: 5 }] } },
  ]);
});

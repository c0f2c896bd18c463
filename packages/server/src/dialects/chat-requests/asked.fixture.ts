/** Random requests of clients, and their interactions, without a server. */
import { type CreateInteraction, checkQuestion, defined, type Interaction, type Question } from '@holdpoint/protocol';
import fc from 'fast-check';
import type { CreateRequest } from './schemas.ts';

/** The interaction that the domain would create. */
export function asked({ responder, deadline, trace, original, ...input }: CreateInteraction): Interaction {
  const checked = checkQuestion(input);
  if (!checked.ok) throw new Error(JSON.stringify({ input, problems: checked.problems }));
  return interactionOf(checked.question, {
    responder: responder ?? { type: 'human' },
    ...defined({ deadline }),
    ...defined({ trace }),
    ...defined({ original }),
  });
}

export const interactionOf = (question: Question, more: Partial<Interaction> = {}): Interaction => ({
  id: 'i',
  threadId: 't',
  status: 'pending',
  version: 1,
  ...question,
  blocking: true,
  responder: { type: 'human' },
  resolution: { mode: 'first' },
  origin: { type: 'agent' },
  votes: [],
  createdBy: { type: 'agent', id: 'key', via: 'key' },
  createdAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
  ...more,
});

const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '');
/** An empty text counts as a missing label. */
const wordOrNone = fc.oneof(word, fc.constant(''));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => maybe(fc.option(arbitrary, { nil: null }));
const without = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
/** Free JSON, with properties that Opengram does not know. */
const freeJson = fc.dictionary(
  fc.string({ maxLength: 5 }).filter((key) => key !== '__proto__'),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.integer(), { maxLength: 3 })),
  { maxKeys: 3 },
);
const strange = fc.constantFrom({}, { hint: 'x' }, { 'x-y': { z: [1] } });

const choiceConfig = fc
  .uniqueArray(fc.record({ id: word, label: word }), { selector: ({ id }) => id, minLength: 1, maxLength: 5 })
  .chain((options) =>
    fc
      .record({
        variants: fc.array(maybe(fc.constantFrom('primary', 'secondary', 'danger')), { minLength: 5, maxLength: 5 }),
        minSelections: orNull(fc.integer({ min: 0, max: options.length })),
        above: fc.integer({ min: 0, max: 600 }),
        hasMax: fc.boolean(),
        strange,
      })
      .map(({ variants, minSelections, above, hasMax, strange }) =>
        without({
          ...strange,
          options: options.map((option, index) => without({ ...option, variant: variants[index], ...strange })),
          minSelections,
          maxSelections: hasMax || (minSelections ?? 0) > 1 ? Math.max(1, minSelections ?? 0) + above : undefined,
        }),
      ),
  );

const textConfig = fc
  .record({
    placeholder: maybe(fc.string({ maxLength: 20 })),
    validation: maybe(
      fc
        .record({
          minLength: orNull(fc.integer({ min: 0, max: 5 })),
          maxLength: orNull(fc.integer({ min: 5, max: 100 })),
          pattern: orNull(fc.constantFrom('^a', '[a-z]', '\\d*', '')),
        })
        .map(without),
    ),
    strange,
  })
  .map(({ strange, ...config }) => without({ ...strange, ...config }));

const names = fc.uniqueArray(
  word.filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name.trim())),
  { selector: (name) => name.trim(), minLength: 1, maxLength: 6 },
);
const formField = fc
  .record({
    type: fc.constantFrom('text', 'textarea', 'select', 'multiselect', 'checkbox', 'date'),
    label: maybe(wordOrNone),
    required: maybe(fc.boolean()),
    options: fc.uniqueArray(word, { minLength: 1, maxLength: 4 }),
    strange,
  })
  .map(({ options, strange, ...field }) =>
    without({ ...field, ...(field.type.endsWith('select') ? { options } : {}), ...strange }),
  );
const formConfig = fc
  .record({
    names,
    fields: fc.array(formField, { minLength: 6, maxLength: 6 }),
    submitLabel: maybe(wordOrNone),
    strange,
  })
  .map(({ names, fields, submitLabel, strange }) =>
    without({ ...strange, fields: names.map((name, index) => ({ ...fields[index], name })), submitLabel }),
  );

const configs = { choice: choiceConfig, text_input: textConfig, form: formConfig };

/** Any body that is valid there. */
export const arbitraryRequest: fc.Arbitrary<CreateRequest> = fc
  .constantFrom('choice', 'text_input', 'form')
  .chain((type) =>
    fc.record({
      type: fc.constant(type),
      title: word,
      body: orNull(fc.string({ maxLength: 50 })),
      config: configs[type] as fc.Arbitrary<Record<string, unknown>>,
      trace: orNull(freeJson),
    }),
  )
  .map((request) => without(request) as CreateRequest);

import { type Field, isSecretField, type Question, validateValues } from '@holdpoint/protocol';
import { fromJsonSchema, specTypeSchemas } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryAnswers, arbitraryFields } from '../../protocol/test/arbitraries.ts';
import { elicitedForm, elicitedValues, type FormDialect } from '../src/ask-human/elicited-form.ts';

const asking = (fields: Field[], more: Partial<Question> = {}): Question => ({
  kind: 'form',
  title: 'This?',
  fields,
  ...more,
});
const propertyOf = (field: Field, more?: Partial<Question>) =>
  Object.values(elicitedForm(asking([field], more))?.requestedSchema.properties ?? {})[0];
const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B', description: 'the other' },
];
const choices = [
  { const: 'a', title: 'A' },
  { const: 'b', title: 'B (the other)' },
];

test.each([
  [
    { type: 'text', name: 'f', minLength: 2, maxLength: 9 },
    { type: 'string', minLength: 2, maxLength: 9 },
  ],
  [{ type: 'tel', name: 'f' }, { type: 'string' }],
  [
    { type: 'email', name: 'f' },
    { type: 'string', format: 'email' },
  ],
  [
    { type: 'url', name: 'f' },
    { type: 'string', format: 'uri' },
  ],
  [
    { type: 'date', name: 'f' },
    { type: 'string', format: 'date' },
  ],
  [
    { type: 'datetime', name: 'f' },
    { type: 'string', format: 'date-time' },
  ],
  [
    { type: 'number', name: 'f', min: 1, max: 2 },
    { type: 'number', minimum: 1, maximum: 2 },
  ],
  [
    { type: 'number', name: 'f', integer: true, default: 3 },
    { type: 'integer', default: 3 },
  ],
  [
    { type: 'rating', name: 'f' },
    { type: 'integer', minimum: 1, maximum: 5 },
  ],
  [
    { type: 'checkbox', name: 'f', label: 'Sure', description: 'Really?' },
    { type: 'boolean', title: 'Sure', description: 'Really?' },
  ],
  [
    { type: 'confirm', name: 'f' },
    { type: 'boolean', title: 'f' },
  ],
  [
    { type: 'select', name: 'f', options, default: 'b' },
    { type: 'string', oneOf: choices, default: 'b' },
  ],
  [
    { type: 'radio', name: 'f', options },
    { type: 'string', oneOf: choices },
  ],
  [
    { type: 'multi_select', name: 'f', options, minSelections: 1, maxSelections: 2 },
    { type: 'array', items: { anyOf: choices }, minItems: 1, maxItems: 2 },
  ],
] as [Field, object][])('[AH2] %o is shown in a form', (field, property) => {
  expect(propertyOf(field)).toMatchObject(property);
});

test.each([
  { type: 'textarea', name: 'f' },
  { type: 'password', name: 'f' },
  { type: 'text', name: 'f', secret: true },
  { type: 'time', name: 'f' },
  { type: 'custom', name: 'f' },
  { type: 'file_upload', name: 'f' },
  { type: 'image_upload', name: 'f' },
  { type: 'signature', name: 'f' },
  { type: 'text', name: 'f', visibleIf: { all_of: [{ field: 'g', op: 'empty' }] } },
] as Field[])('[AH2] %o is not, and so the whole question is not', (field) => {
  expect(elicitedForm(asking([{ type: 'text', name: 'g' }, field]))).toBeUndefined();
});

describe('all that is shown is in the message', () => {
  test('[AH2] title, body, arguments, headings and words', () => {
    const fields: Field[] = [
      { type: 'heading', text: 'First' },
      { type: 'text', name: 'f' },
      { type: 'paragraph', text: 'And then' },
    ];
    const form = elicitedForm(asking(fields, { body: 'Why', arguments: { to: 'x' } }));
    expect(form?.message).toBe('This?\n\nWhy\n\n{\n  "to": "x"\n}\n\nFirst\n\nAnd then');
  });

  test('[AH2] what it could not hold has no form: blocks, a schema, a part that is shown at times', () => {
    const field: Field = { type: 'text', name: 'f' };
    expect(elicitedForm(asking([field], { content: [{ type: 'text', text: 'x' }] as never }))).toBeUndefined();
    expect(elicitedForm(asking([], { payloadSchema: { type: 'string' } }))).toBeUndefined();
    const visibleIf = { all_of: [{ field: 'f', op: 'not_empty' as const }] };
    expect(elicitedForm(asking([field, { type: 'heading', text: 'x', visibleIf }]))).toBeUndefined();
  });
});

test('[AH2] what is recommended stands there at first, but never the decision of an approval', () => {
  const recommendations = { f: 'a', decision: 'a' };
  expect(propertyOf({ type: 'select', name: 'f', options }, { recommendations })).toMatchObject({ default: 'a' });
  const decision: Field = { type: 'select', name: 'decision', options };
  expect(propertyOf(decision, { kind: 'approval', recommendations })).not.toHaveProperty('default');
});

test('[AH3] a line that was left empty is null, so that an argument is taken away and not left as proposed', () => {
  const filled = { c: 0, d: false, e: [] };
  expect(elicitedValues({ a: '', b: null, ...filled })).toEqual({ a: null, b: null, ...filled });
});

test('[AH11] in a plain form an empty line is what was proposed, and never an argument taken away', () => {
  const fields: Field[] = [
    { type: 'text', name: 'to', default: 'ann' },
    { type: 'text', name: 'cc' },
    { type: 'checkbox', name: 'now', default: true },
  ];
  const question = asking(fields, { kind: 'approval' });
  expect(elicitedValues({ to: '', cc: '' }, question)).toEqual({ to: 'ann', cc: null });
  expect(elicitedValues({ to: 'bo', now: false }, question)).toEqual({ to: 'bo', now: false });
});

test('[AH2] [AH11] every form is one that clients know, and asks for nothing secret', () => {
  fc.assert(
    fc.property(arbitraryFields, fc.constantFrom<FormDialect>('titled', 'plain'), (fields, dialect) => {
      const form = elicitedForm(asking(fields), dialect);
      if (!form) return;
      const checked = specTypeSchemas.ElicitRequestFormParams['~standard'].validate(form);
      expect(checked).not.toHaveProperty('issues');
      expect(fields.some(isSecretField)).toBe(false);
    }),
  );
});

test('[AH2] a form lets pass whatever the question accepts', () => {
  fc.assert(
    fc.property(arbitraryAnswers, ({ fields, values }) => {
      const form = elicitedForm(asking(fields));
      const accepted = validateValues(fields, values);
      if (!form || !accepted.ok) return;
      const checked = fromJsonSchema(form.requestedSchema as never)['~standard'].validate(accepted.values);
      expect(checked).not.toHaveProperty('issues');
    }),
  );
});

test('[X33] a client shows hidden characters by their names, and is answered with what was asked', () => {
  const field = {
    ...{ type: 'radio', name: 'f', label: 'Note \u202e', description: 'a\u200b' },
    options: [{ value: 'a\u200b', label: 'A\u3164' }],
  } as Field;
  const form = elicitedForm(asking([field], { title: 'Pay \u202egnp.exe?', arguments: { host: 'pay\u200bpal' } }));
  expect(form?.message).toBe('Pay [U+202E]gnp.exe?\n\n{\n  "host": "pay[U+200B]pal"\n}');
  expect(form?.requestedSchema.properties.f).toMatchObject({
    ...{ title: 'Note [U+202E]', description: 'a[U+200B]' },
    oneOf: [{ const: 'a\u200b', title: 'A[U+3164]' }],
  });
});

import { describe, expect, expectTypeOf, it } from 'vitest';
import { type AnswerOf, approval, cardChoice, choice, form, humanise, input } from './builders.ts';
import {
  checkbox,
  date,
  fileUpload,
  heading,
  multiSelect,
  number,
  password,
  select,
  text,
  textarea,
} from './field-builders.ts';
import { checkFields } from './fields/check-fields.ts';
import type { FileRef } from './fields/file-ref.ts';
import { checkQuestion } from './question.ts';

describe('builders', () => {
  it('[F21] infers the answer of a form: required keys, and optional ones for checkbox, required false and visibleIf', () => {
    const deploy = form({ env: select(['staging', 'production']), notify: checkbox() });
    expectTypeOf<AnswerOf<typeof deploy>>().toEqualTypeOf<{ env: 'staging' | 'production'; notify?: boolean }>();

    const all = form(
      {
        title: heading('Release'),
        version: text({ pattern: '^v' }),
        notes: textarea({ required: false }),
        reason: text({ visibleIf: { all_of: [{ field: 'version', op: 'not_empty' }] } }),
        count: number(),
        when: date(),
        agreed: checkbox({ required: true }),
        tags: multiSelect(['a', { value: 'b', label: 'B' }]),
        log: fileUpload(),
        logs: fileUpload({ multiple: true, required: false }),
      },
      { title: 'Release?' },
    );
    expectTypeOf<AnswerOf<typeof all>>().toEqualTypeOf<{
      version: string;
      count: number;
      when: string;
      agreed: boolean;
      tags: ('a' | 'b')[];
      log: FileRef;
      notes?: string;
      reason?: string;
      logs?: FileRef[];
    }>();
    expect(checkFields(all.fields)).toMatchObject({ ok: true });
    expect(all).toMatchObject({ kind: 'form', title: 'Release?' });
    expect(all.fields[0]).toEqual({ type: 'heading', text: 'Release' });
  });

  it('[F21] does not take an unknown option of a field', () => {
    // @ts-expect-error a typo
    text({ requird: false });
    // @ts-expect-error a typo next to a right key
    select(['a'], { required: false, visibelIf: { all_of: [] } });
    // @ts-expect-error not a number
    text({ minLength: '3' });
  });
});

describe('choice, input and approval', () => {
  it('[F22] asks a choice as one select shown as buttons', () => {
    const one = choice(['approve', { value: 'reject', label: 'Reject', variant: 'danger' }], { title: 'Go?' });
    expectTypeOf<AnswerOf<typeof one>>().toEqualTypeOf<{ choice: 'approve' | 'reject' }>();
    expect(one).toEqual({
      kind: 'choice',
      title: 'Go?',
      fields: [
        {
          name: 'choice',
          type: 'select',
          label: 'Go?',
          required: true,
          display: 'buttons',
          options: [
            { value: 'approve', label: 'approve' },
            { value: 'reject', label: 'Reject', variant: 'danger' },
          ],
        },
      ],
    });
    const many = choice(['a', 'b'], { multiple: true, maxSelections: 2 });
    expectTypeOf<AnswerOf<typeof many>>().toEqualTypeOf<{ choice: ('a' | 'b')[] }>();
    expect(many.fields[0]).toMatchObject({ type: 'multi_select', required: true, maxSelections: 2 });
    const none = choice(['a', 'b'], { multiple: true, minSelections: 0 });
    expectTypeOf<AnswerOf<typeof none>>().toEqualTypeOf<{ choice?: ('a' | 'b')[] }>();
    expect(none.fields[0]).toMatchObject({ required: false, minSelections: 0 });
  });

  it('[F27] asks by a card as a choice named action, whose options are the actions that answer', () => {
    const card = {
      title: 'Plan B',
      actions: [
        { label: 'Take it', value: 'take' },
        { label: 'Read more', url: 'https://acme.com' },
        { label: 'No', value: 'no' },
      ],
    } as const;
    const asked = cardChoice(card, { body: 'Cheaper' });
    expectTypeOf<AnswerOf<typeof asked>>().toEqualTypeOf<{ action: 'take' | 'no' }>();
    expect(asked).toMatchObject({ kind: 'choice', title: 'Plan B', body: 'Cheaper' });
    expect(asked.content).toEqual([{ type: 'card', payload: card }]);
    expect(checkQuestion(asked)).toMatchObject({
      ok: true,
      question: { fields: [{ name: 'action', type: 'select', options: [{ value: 'take' }, { value: 'no' }] }] },
    });
  });

  it('[F23] asks for an input as exactly one field', () => {
    const plain = input();
    expectTypeOf<AnswerOf<typeof plain>>().toEqualTypeOf<{ text: string }>();
    expect(plain.fields).toEqual([{ name: 'text', type: 'text', label: 'Please answer', required: true }]);
    const named = input(number({ min: 1, required: false }), { name: 'count', title: 'How many?' });
    expectTypeOf<AnswerOf<typeof named>>().toEqualTypeOf<{ count?: number }>();
    expect(named).toEqual({
      kind: 'input',
      title: 'How many?',
      fields: [{ name: 'count', type: 'number', label: 'How many?', required: false, min: 1 }],
    });
  });

  it('[F24] asks for an approval as a decision, then the arguments a person may edit', () => {
    const plain = approval();
    expectTypeOf<AnswerOf<typeof plain>>().toEqualTypeOf<{ decision: 'allow' | 'deny' }>();
    const mail = approval({
      title: 'Send the mail?',
      arguments: { to: 'a@example.com', subject: 'Hi' },
      fields: { subject: text() },
    });
    expectTypeOf<AnswerOf<typeof mail>>().toEqualTypeOf<{ decision: 'allow' | 'deny'; subject?: string }>();
    expect(mail).toMatchObject({ kind: 'approval', arguments: { to: 'a@example.com', subject: 'Hi' } });
    expect(mail.fields).toMatchObject([
      {
        name: 'decision',
        type: 'select',
        display: 'buttons',
        options: [{ kind: 'allow_once' }, { kind: 'reject_once' }],
      },
      { name: 'subject', type: 'text', default: 'Hi' },
    ]);
    expect(checkFields(mail.fields)).toMatchObject({ ok: true });
    const edits = approval({
      arguments: { a: 'x', b: 'x', c: 'x', d: null, toString: 'x' },
      fields: {
        a: text({ default: 'y' }),
        b: text({ secret: true }),
        c: password(),
        d: text(),
        hasOwnProperty: text(),
      },
    });
    expect(edits.fields.map((field) => ('default' in field ? field.default : undefined))).toEqual([
      undefined,
      'y',
      ...Array(4).fill(undefined),
    ]);
    expect(checkFields(edits.fields)).toMatchObject({ ok: true });
    const standing = approval({ options: [{ value: 'always', label: 'Always', kind: 'allow_always' }] });
    expectTypeOf<AnswerOf<typeof standing>>().toEqualTypeOf<{ decision: 'always' }>();
  });

  it('[F21] labels a field after its name unless it has a label', () => {
    expect(['releaseNotes', 'release_notes', 'release-notes', 'APIKey', 'url', 'toURL', '__'].map(humanise)).toEqual([
      'Release notes',
      'Release notes',
      'Release notes',
      'Apikey',
      'Url',
      'To URL',
      '__',
    ]);
    expect(form({ apiKey: text({ label: 'API key' }) }).fields[0]).toMatchObject({ label: 'API key' });
  });

  it('every builder takes a policy of people and groups', () => {
    const of = [{ group: 'finance', count: 2 }];
    const asked = approval({ responder: { type: 'human', notRequester: true }, resolution: { mode: 'quorum', of } });
    expect(asked).toMatchObject({ responder: { notRequester: true }, resolution: { of } });
    const mode: 'quorum' | 'unanimous' = 'quorum';
    expect(form({ name: text() }, { resolution: { mode, count: 2 } }).resolution).toEqual({ mode, count: 2 });
  });
});

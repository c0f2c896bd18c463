import {
  CreateInteractionSchema,
  checkQuestion,
  checkShape,
  type Interaction,
  isSecretField,
  type StoredFile,
} from '@holdpoint/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryAnswers } from '../../../../protocol/test/arbitraries.ts';
import {
  type Asking,
  accepted,
  agent,
  ann,
  ask,
  decideAnswer,
  decideCancel,
  decideExpire,
  decline,
  fourOptions,
} from '../../domain/asking.fixture.ts';
import { readPolicy } from '../../domain/policy.ts';
import { toAnswer } from './answer-codec.ts';
import { toInputRequest, toInteraction } from './request-codec.ts';
import {
  conversationId,
  inputErrors,
  json,
  outputErrors,
  requestId,
  responseId,
  sentField,
  sentRequest,
  valuesFor,
} from './sent.fixture.ts';

/** As a server would have stored it. */
function stored(interaction: Interaction): Interaction {
  const named = { ...interaction, id: requestId, threadId: conversationId };
  const votes = named.votes.map((vote) => ({ ...vote, id: responseId }));
  const answered = named.answer ? { ...named, answer: { ...named.answer, id: responseId } } : named;
  return JSON.parse(JSON.stringify({ ...answered, votes }));
}
const asked = (asking: Asking): Interaction => stored(ask(asking));

describe('what is asked here', () => {
  test('[DL2] is a question of ours, and comes back as it was sent, in the shape of its schema', () => {
    fc.assert(
      fc.property(sentRequest, (sent) => {
        expect(inputErrors(sent)).toEqual([]);
        const ours = toInteraction(sent);
        expect(checkShape(CreateInteractionSchema, ours)).toEqual([]);
        const converted = toInputRequest(asked(ours as Asking));
        expect(outputErrors(converted)).toEqual([]);
        expect(converted).toMatchObject({
          conversation_id: conversationId,
          run_id: sent.run_id,
          tool_call_id: sent.tool_call_id,
          status: 'open',
          kind: 'form',
          requested_responder_type: sent.requested_responder_type,
          title: sent.title.trim(),
          description: sent.description ?? null,
          expires_at: sent.expires_at ? new Date(sent.expires_at).toISOString() : null,
          latest_response: null,
        });
        // Text for text: not even the order of the properties is another.
        for (const property of ['fields', 'recommendations', 'metadata'] as const)
          expect(JSON.stringify(converted[property])).toBe(JSON.stringify(sent[property] ?? null));
      }),
      { numRuns: 300 },
    );
  });

  test('[DL4] is answered with the values that were submitted, but for those that are secret', () => {
    let taken = 0;
    fc.assert(
      fc.property(
        sentRequest.chain((sent) => valuesFor(sent.fields).map((values) => ({ sent, values }))),
        ({ sent, values }) => {
          const question = asked({ ...(toInteraction(sent) as Asking), responder: { type: 'human' } });
          const decided = decideAnswer(question, ann, toAnswer(question, values));
          if (!decided.ok) return;
          taken++;
          const converted = toInputRequest(stored(decided.outcome.interaction));
          expect(outputErrors(converted)).toEqual([]);
          expect(converted).toMatchObject({
            status: 'submitted',
            latest_response: { actor_type: 'human', actor_id: 'ann' },
          });
          const secret = new Set(question.fields.filter(isSecretField).map((field) => 'name' in field && field.name));
          const shown = Object.entries(values).filter(([name, value]) => !secret.has(name) && value !== null);
          expect(converted.latest_response?.values).toEqual(Object.fromEntries(shown));
        },
      ),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  test('is refused or taken, whatever its fields say of themselves', () => {
    const keys = [
      'placeholder',
      'pattern',
      'minLength',
      'maxLength',
      'min',
      'max',
      'rows',
      'defaultValue',
      'secret',
      'description',
      'confirmLabel',
    ];
    const twisted = fc.tuple(
      sentField,
      fc.dictionary(fc.constantFrom(...keys), json),
      fc.array(fc.dictionary(fc.constantFrom('value', 'label', 'description', 'recommended'), json)),
    );
    const requests = fc.tuple(sentRequest, fc.array(twisted, { minLength: 1, maxLength: 3 }));
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(requests, ([sent, more]) => {
        const fields = more.map(([field, twist, options]) => ({
          ...field,
          ...twist,
          ...(options.length > 0 ? { options } : {}),
        }));
        const ours = toInteraction({ ...sent, fields });
        const shape = checkShape(CreateInteractionSchema, ours);
        expect(shape).toEqual([]);
        verdicts.add(checkQuestion(readPolicy(ours).input).ok);
      }),
      { numRuns: 300 },
    );
    expect(verdicts).toEqual(new Set([true, false]));
  });
});

describe('what is asked elsewhere', () => {
  const endings = {
    open: (question: Interaction) => question,
    declined: (question: Interaction) => decline(question, ann).interaction,
    cancelled: (question: Interaction) => accepted(decideCancel(question)).interaction,
    expired: (question: Interaction) => {
      const due = Date.parse('2030-02-01T00:00:00Z');
      const dated = { ...question, deadline: { at: new Date(due).toISOString(), outcome: 'expire' as const } };
      return accepted(decideExpire(dated, due)).interaction;
    },
  };

  test('[DL1] has the shape of the schema, whatever its fields, and however it ends', () => {
    const statuses = { open: 'open', declined: 'cancelled', cancelled: 'cancelled', expired: 'expired' } as const;
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields }) => {
        const { ok } = checkQuestion({ title: 'Well?', kind: 'form', fields });
        if (!ok) return;
        const question = asked({ kind: 'form', fields });
        for (const [ending, end] of Object.entries(endings)) {
          const converted = toInputRequest(stored(end(question)));
          expect(outputErrors(converted)).toEqual([]);
          expect(converted.status).toBe(statuses[ending as keyof typeof endings]);
          for (const field of converted.fields)
            expect(field).toMatchObject({ name: expect.any(String), type: expect.any(String) });
        }
      }),
      { numRuns: 200 },
    );
  });

  test('shown values, submitted here, are the same values; a file is shown by its address alone', () => {
    let taken = 0;
    fc.assert(
      fc.property(arbitraryAnswers, ({ fields, values }) => {
        if (!checkQuestion({ title: 'Well?', kind: 'form', fields }).ok) return;
        const question = asked({ kind: 'form', fields });
        const decided = decideAnswer(question, ann, { values });
        if (!decided.ok) return;
        taken++;
        const closed = stored(decided.outcome.interaction);
        const converted = toInputRequest(closed);
        expect(outputErrors(converted)).toEqual([]);
        const isFile = (value: unknown) => typeof value === 'object' && value !== null && 'file_id' in value;
        const single = Object.entries(closed.answer?.values ?? {}).filter(([, value]) => !isFile(value));
        const read = Object.entries(toAnswer(question, converted.latest_response?.values ?? {}).values);
        expect(Object.fromEntries(read.filter(([name]) => single.some(([one]) => one === name)))).toEqual(
          Object.fromEntries(single),
        );
      }),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(50);
  });

  test('a choice is a select, and of several a list in JSON, or one of them', () => {
    const one = asked({ options: ['yes', 'no'] });
    expect(toInputRequest(one).fields).toMatchObject([{ name: 'choice', type: 'select', required: true }]);
    const many = asked({ options: ['a', 'b', 'c'], maxSelections: 2 });
    expect(toInputRequest(many).fields).toMatchObject([{ type: 'multi_select', options: [{ value: 'a' }, {}, {}] }]);
    expect(toAnswer(many, { choice: '["a","b"]' })).toEqual({ values: { choice: ['a', 'b'] } });
    expect(toAnswer(many, { choice: 'a' })).toEqual({ values: { choice: ['a'] } });
    const odd = asked({ options: ['["a"]', 'a'], maxSelections: 2 });
    expect(toAnswer(odd, { choice: '["a"]' })).toEqual({ values: { choice: ['["a"]'] } });
    const answered = stored(accepted(decideAnswer(many, ann, toAnswer(many, { choice: '["a","b"]' }))).interaction);
    expect(toInputRequest(answered).latest_response?.values).toEqual({ choice: '["a","b"]' });
  });

  test('an approval shows its decision, its arguments as fields, and the rest of them in words', () => {
    const approval = asked({
      kind: 'approval',
      body: 'Careful.',
      options: fourOptions,
      grant: { key: 'k', scope: 'thread' },
      arguments: { env: 'prod', force: true },
      fields: [{ name: 'env', type: 'text' }],
    });
    const converted = toInputRequest(approval);
    expect(outputErrors(converted)).toEqual([]);
    expect(converted.fields).toMatchObject([
      { name: 'decision', type: 'select' },
      { name: 'env', type: 'text', defaultValue: 'prod' },
    ]);
    expect(converted.description).toBe('Careful.\n\n```json\n{\n  "force": true\n}\n```');
    // Left alone, it is approved as it was proposed.
    expect(toAnswer(approval, { decision: 'yes', env: null })).toEqual({ values: { decision: 'yes' } });
    const rejected = stored(accepted(decideAnswer(approval, ann, toAnswer(approval, { decision: 'no' }))).interaction);
    expect(rejected.answer?.decision).toBe('declined');
    expect(toInputRequest(rejected)).toMatchObject({
      status: 'submitted',
      latest_response: { values: { decision: 'no', env: 'prod' } },
    });
  });

  test('a file is shown by its address, and answered as a whole file', () => {
    const file = { file_id: 'f1', url: '/v1/files/f1/content', name: 'a.png', mime: 'image/png', size: 10 };
    const question = asked({ fields: [{ name: 'photo', type: 'image_upload' }] });
    const { id: interactionId, threadId, createdAt: at } = question;
    const { name, mime, size } = file;
    const upload: StoredFile = {
      ...{ id: 'f1', interactionId, threadId, field: 'photo', name, mime, size, sha256: '' },
      ...{ retention: 'persistent', isAnswered: false, by: ann, at },
    };
    const sent = toAnswer(question, { photo: JSON.stringify(file) });
    expect(sent).toEqual({ values: { photo: file } });
    const answered = stored(accepted(decideAnswer(question, ann, { ...sent, files: [upload] })).interaction);
    expect(toInputRequest(answered).latest_response?.values).toEqual({ photo: file.url });
  });

  test('a payload is one field of JSON, beside a field that has its name', () => {
    const payloadSchema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
    const question = asked({ kind: 'form', payloadSchema });
    expect(toInputRequest(question).fields).toEqual([
      { name: 'payload', type: 'json', required: true, schema: payloadSchema },
    ]);
    expect(toAnswer(question, { payload: '{"a":1}' })).toEqual({ values: {}, payload: { a: 1 } });
    expect(toAnswer(question, { payload: 'no JSON' })).toEqual({ values: {}, payload: 'no JSON' });
    expect(toAnswer(question, { payload: null })).toEqual({ values: {} });
    const answered = stored(accepted(decideAnswer(question, ann, { payload: { a: 1 } })).interaction);
    expect(toInputRequest(answered)).toMatchObject({
      status: 'submitted',
      latest_response: { values: { payload: '{"a":1}' } },
    });
    const beside = asked({ kind: 'approval', payloadSchema, fields: [{ name: 'payload', type: 'text' }] });
    expect(toInputRequest(beside).fields.map(({ name }) => name)).toEqual(['decision', 'payload', 'payload_']);
    expect(toAnswer(beside, { payload: '1', payload_: '1' })).toEqual({ values: { payload: '1' }, payload: 1 });
  });

  test('what has no place of its own there: who may be anybody, and a run that is none', () => {
    const converted = toInputRequest(
      asked({
        fields: [
          { type: 'paragraph', text: 'Read me.' },
          { type: 'paragraph', text: 'Not always.', visibleIf: { all_of: [{ field: 'a', op: 'not_empty' }] } },
          { name: 'a', type: 'custom', customType: 'colour' },
        ],
        responder: { type: 'any' },
      }),
    );
    expect(converted).toMatchObject({
      requested_responder_type: 'human',
      run_id: requestId,
      tool_call_id: requestId,
      description: 'Read me.',
      fields: [{ name: 'a', type: 'colour' }],
    });
    expect(toInputRequest(asked({ run: { id: 'r' }, createdBy: agent } as Asking))).toMatchObject({
      run_id: 'r',
      tool_call_id: requestId,
    });
  });

  test('while votes are missing it is open, with the newest of them', () => {
    const question = asked({ options: ['yes', 'no'], resolution: { mode: 'quorum', count: 2 } });
    const voted = stored(accepted(decideAnswer(question, ann, { values: { choice: 'yes' } })).interaction);
    expect(toInputRequest(voted)).toMatchObject({
      status: 'open',
      submitted_at: null,
      latest_response: { actor_id: 'ann', values: { choice: 'yes' } },
    });
  });
});

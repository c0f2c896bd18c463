import { describe, expect, test } from 'vitest';
import {
  accepted,
  agent,
  ann,
  answer,
  ask,
  at,
  ben,
  decideAnswer,
  decideAsk,
  decideCancel,
  decideDecline,
  decline,
  fourOptions,
  human,
  now,
  problemsIn,
  refused,
} from './asking.fixture.ts';

const approval = (more = {}) =>
  ask({
    kind: 'approval',
    options: fourOptions,
    grant: { key: 'k', scope: 'org' },
    arguments: { command: 'ls' },
    fields: [
      { name: 'command', type: 'text', required: true },
      { name: 'note', type: 'text' },
    ],
    ...more,
  });

describe('asking', () => {
  test('[AN10] a new interaction is at version 1, and its event has all of it', () => {
    const { interaction, events } = accepted(decideAsk({ trace: { step: 1 } }));
    expect(interaction).toMatchObject({
      status: 'pending',
      version: 1,
      votes: [],
      createdBy: agent,
      createdAt: at(now),
    });
    expect(events).toEqual([
      {
        type: 'interaction.created',
        at: at(now),
        actor: agent,
        interactionId: 'asked',
        data: { version: 1, interaction },
      },
    ]);
  });
});

describe('answering', () => {
  test('[AN5] a responder of any type may answer a question for any type, if it is an assignee', () => {
    const anybody = ask({ title: 'Go on?', responder: { type: 'any' } });
    for (const by of [ann, agent, { type: 'system', id: 'backend', via: 'local' } as const])
      expect(answer(anybody, by, { text: 'Yes' }).interaction.answer?.by).toEqual(by);
    const named = ask({ title: 'Go on?', responder: { type: 'any', assignees: [ann.id] } });
    expect(answer(named, { type: 'agent', id: ann.id, via: 'key' }, { text: 'Yes' }).interaction.status).toBe(
      'answered',
    );
    expect(refused(decideAnswer(named, ben, { values: { text: 'Yes' } }))).toMatchObject({
      code: 'wrong-responder',
      detail: expect.stringContaining(`is for ${ann.id}.`),
    });
  });

  test('[U2] an answer to an earlier version is refused', () => {
    const state = ask({ title: 'Go on?' });
    const late = { values: { text: 'Yes' }, expectedVersion: 2 };
    expect(refused(decideAnswer(state, ann, late))).toMatchObject({
      code: 'version-conflict',
      current: { version: 1 },
    });
    const { interaction } = accepted(decideAnswer(state, ann, { ...late, expectedVersion: 1 }));
    expect(interaction.answer).not.toHaveProperty('expectedVersion');
    expect(refused(decideAnswer(interaction, ben, late)).code).toBe('interaction-already-answered');
  });

  test('[AN11] an answer keeps its reason and its metadata', () => {
    const metadata = { device: 'phone' };
    const { interaction } = accepted(
      decideAnswer(ask({ title: 'Go on?' }), ann, { values: { text: 'Yes' }, metadata }),
    );
    expect(interaction.answer?.metadata).toEqual(metadata);
    expect(interaction.votes[0]?.metadata).toEqual(metadata);
  });

  test('[AN3] every problem of an answer is reported at once, and nothing changes', () => {
    const state = ask({
      fields: [
        { name: 'count', type: 'number', min: 1 },
        { name: 'why', type: 'text', required: true },
      ],
    });
    const before = structuredClone(state);
    expect(problemsIn(decideAnswer(state, ann, { values: { count: 0, other: 1 }, payload: 1 }))).toEqual(
      expect.arrayContaining([
        ['/values/other', 'unknown-field'],
        ['/values/count', 'min'],
        ['/values/why', 'required'],
        ['/payload', 'not-allowed'],
      ]),
    );
    expect(state).toEqual(before);
  });

  test('[AN3] a payload is checked together with the values', () => {
    const payloadSchema = { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } };
    const state = ask({ options: ['a', 'b'], payloadSchema });
    expect(problemsIn(decideAnswer(state, ann, { values: { choice: 'c' }, payload: {} }))).toEqual([
      ['/values/choice', 'option'],
      [expect.stringContaining('/payload'), expect.any(String)],
    ]);
    const { interaction } = accepted(decideAnswer(state, ann, { values: { choice: 'a' }, payload: { size: 1 } }));
    expect(interaction.answer).toMatchObject({ values: { choice: 'a' }, payload: { size: 1 } });
  });

  test('[AN3] properties of the prototype do not count as values', () => {
    const state = ask({ fields: [{ name: 'toString', type: 'text', required: true }] });
    expect(problemsIn(decideAnswer(state, ann, { values: {} }))).toEqual([['/values/toString', 'required']]);
    expect(answer(state, ann, { toString: 'x' }).interaction.answer?.values).toEqual({ toString: 'x' });
    expect(decideAnswer(state, ann, { values: JSON.parse('{"toString": "x", "__proto__": {"a": 1}}') }).ok).toBe(false);
  });

  test('[AN5] only a responder of the requested type may answer or decline', () => {
    for (const decided of [decideAnswer(ask({}), agent, { values: { text: 'x' } }), decideDecline(ask({}), agent)])
      expect(refused(decided)).toMatchObject({
        code: 'wrong-responder',
        detail: 'The question is for a responder of type human. You are agent requester.',
        current: { status: 'pending', version: 1 },
      });
    const forAgents = ask({ responder: { type: 'agent' } });
    expect(answer(forAgents, agent, { text: 'x' }).interaction.status).toBe('answered');
  });

  test('[AN5] if there are assignees, only they may answer', () => {
    const state = ask({ responder: { type: 'human', assignees: ['ann'] } });
    for (const by of [ben, human('Ann'), human('toString'), { type: 'agent', id: 'ann', via: 'key' } as const]) {
      expect(refused(decideAnswer(state, by, { values: { text: 'x' } })).code).toBe('wrong-responder');
      expect(refused(decideDecline(state, by)).code).toBe('wrong-responder');
    }
    expect(answer(state, ann, { text: 'x' }).interaction.closedBy).toEqual(ann);
  });

  test('[AN6] a decline is an answer whose decision is declined', () => {
    const { interaction, events } = accepted(decideDecline(ask({}), ann, now, 'no time'));
    const given = { id: 'vote-ann', decision: 'declined', values: {}, reason: 'no time', by: ann, at: at(now) };
    expect(interaction).toMatchObject({ status: 'answered', closedReason: 'declined', answer: given, votes: [given] });
    expect(events).toMatchObject([{ type: 'interaction.declined', data: { version: 2, answer: given } }]);
  });

  test.each([
    ['yes', 'accepted', 'interaction.answered'],
    ['ever', 'accepted', 'interaction.answered'],
    ['no', 'declined', 'interaction.declined'],
    ['never', 'declined', 'interaction.declined'],
  ])('[AN6] picking %s is %s', (decision, expected, event) => {
    const { interaction, events } = answer(approval(), ann, { decision });
    expect(interaction.answer).toMatchObject({ decision: expected, values: { decision, command: 'ls' } });
    expect(events[0]?.type).toBe(event);
  });

  test('[AN6] a rejection need not fill in the fields of an approval', () => {
    const payloadSchema = { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } };
    const fields = [{ name: 'ticket', type: 'text', required: true }];
    const state = approval({ fields, arguments: {}, payloadSchema });
    expect(problemsIn(decideAnswer(state, ann, { values: { decision: 'yes' } })).map(([pointer]) => pointer)).toEqual(
      expect.arrayContaining(['/values/ticket']),
    );
    expect(answer(state, ann, { decision: 'no' }).interaction.answer).toMatchObject({
      decision: 'declined',
      values: { decision: 'no' },
    });
    // The values that are sent must be valid nevertheless.
    expect(problemsIn(decideAnswer(state, ann, { values: { decision: 'no', other: 1 }, payload: 1 }))).toEqual(
      expect.arrayContaining([['/values/other', 'unknown-field']]),
    );
  });

  test('[AN6] picking a reject option among several declines too', () => {
    const options = [
      { value: 'a', label: 'A' },
      { value: 'stop', label: 'Stop', kind: 'reject_once' },
    ];
    const state = ask({ options, maxSelections: 2 });
    expect(answer(state, ann, { choice: ['a', 'stop'] }).interaction.answer?.decision).toBe('declined');
    expect(answer(state, ann, { choice: ['a'] }).interaction.answer?.decision).toBe('accepted');
  });

  test('[AN7] closedReason and closedBy differ for an answer, a decline and a cancellation', () => {
    const state = ask({});
    expect(answer(state, ann, { text: 'x' }).interaction).toMatchObject({ closedReason: 'answered', closedBy: ann });
    expect(decline(state, ann).interaction).toMatchObject({ closedReason: 'declined', closedBy: ann });
    const { interaction, events } = accepted(decideCancel(state, 'not needed'));
    expect(interaction).toMatchObject({
      status: 'cancelled',
      closedReason: 'cancelled',
      closedBy: agent,
      cancelReason: 'not needed',
      closedAt: at(now),
    });
    expect(events).toMatchObject([{ type: 'interaction.cancelled', data: { version: 2, reason: 'not needed' } }]);
    expect(accepted(decideCancel(state)).interaction).not.toHaveProperty('cancelReason');
  });

  test('[AN8] an omitted argument is approved as proposed, and a named argument as edited', () => {
    expect(answer(approval(), ann, { decision: 'yes' }).interaction.answer?.values).toEqual({
      decision: 'yes',
      command: 'ls',
    });
    expect(answer(approval(), ann, { decision: 'yes', command: 'pwd' }).interaction.answer?.values).toEqual({
      decision: 'yes',
      command: 'pwd',
    });
    expect(problemsIn(decideAnswer(approval(), ann, { values: { decision: 'yes', command: '' } }))).toEqual([
      ['/values/command', 'required'],
    ]);
  });

  test('[AN8] null removes an optional argument', () => {
    const state = ask({ kind: 'approval', fields: [{ name: 'note', type: 'text' }], arguments: { note: 'quick' } });
    const { interaction } = answer(state, ann, { decision: 'allow', note: null });
    expect(interaction.answer?.values).toEqual({ decision: 'allow' });
    expect(problemsIn(decideAnswer(approval(), ann, { values: { decision: 'yes', command: null } }))).toEqual([
      ['/values/command', 'required'],
    ]);
  });

  test('[AN8] the decision itself never has its proposed value', () => {
    const decision = { name: 'decision', type: 'select', options: fourOptions.slice(0, 1), default: 'yes' };
    const state = ask({ kind: 'approval', fields: [decision], arguments: { decision: 'yes' } });
    expect(problemsIn(decideAnswer(state, ann))).toEqual([['/values/decision', 'required']]);
  });

  test('[AN3] an approval whose stored decision is optional is still not answered without one', () => {
    const state = approval();
    const fields = state.fields.map((field) => ({ ...field, required: false }));
    expect(problemsIn(decideAnswer({ ...state, fields } as typeof state, ann))).toEqual([
      ['/values/decision', 'required'],
    ]);
  });

  test('[AN9] secret values are in neither the answer nor an event, but in the outcome', () => {
    const state = ask({
      fields: [
        { name: 'user', type: 'text' },
        { name: 'pin', type: 'password' },
        { name: 'code', type: 'number', secret: true },
      ],
    });
    const outcome = answer(state, ann, { user: 'u', pin: 'hush', code: 77_123 });
    expect(outcome.secrets).toEqual({ pin: 'hush', code: 77_123 });
    expect(outcome.interaction.answer).toMatchObject({ values: { user: 'u' }, secretFields: ['pin', 'code'] });
    expect(JSON.stringify([outcome.interaction, outcome.events])).not.toMatch(/hush|77123/);
    expect(answer(state, ann, { user: 'u' })).not.toHaveProperty('secrets');
  });

  test('[AN9] a refused answer does not repeat a secret value', () => {
    const state = ask({
      fields: [
        { name: 'pin', type: 'password', minLength: 99 },
        { name: 'pick', type: 'select', secret: true, options: ['a'] },
        { name: 'web', type: 'url', secret: true },
        { name: 'day', type: 'date', secret: true },
      ],
    });
    const values = { pin: 'hush', pick: 'hush', web: 'hush', day: 'hush' };
    const fault = refused(decideAnswer(state, ann, { values }));
    expect(fault.problems).toHaveLength(4);
    expect(JSON.stringify(fault)).not.toContain('hush');
  });

  test('[AN10] every accepted change raises the version by one', () => {
    const state = ask({ resolution: { mode: 'quorum', count: 2 } });
    const once = answer(state, ann, { text: 'x' }).interaction;
    const twice = answer(once, ben, { text: 'y' }).interaction;
    expect([state.version, once.version, twice.version]).toEqual([1, 2, 3]);
    expect([once.status, twice.status]).toEqual(['pending', 'answered']);
  });
});

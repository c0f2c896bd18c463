/** Properties that hold after every step of random commands, by anybody and at any time, on random questions. */
import {
  type Actor,
  AnswerSchema,
  checkQuestion,
  checkShape,
  defined,
  EventTypeSchema,
  type Field,
  type FreeObject,
  type Grant,
  GrantSchema,
  type Interaction,
  InteractionSchema,
  isInputField,
  isSecretField,
  type QuestionInput,
  type UpdateInteraction,
  validatePayload,
  validateValues,
} from '@holdpoint/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Asking,
  agent,
  ann,
  at,
  ben,
  cy,
  decideAsk,
  digestOf,
  fourOptions,
  hourMs,
  now,
} from './asking.fixture.ts';
import type { Command, Decided } from './command.ts';
import { decide } from './decide.ts';
import { coverageWanted } from './grants.ts';
import { reachable, transitions } from './transitions.ts';

/** Part of every value of a secret field, and of no other value, so it may only be in `secrets`. */
const sentinel = 'SENTINEL-7f3a';

const actor = fc.constantFrom<Actor[]>(ann, ann, ben, ben, cy, cy, agent, {
  type: 'human',
  id: 'constructor',
  via: 'token',
});
const time = fc.integer({ min: -hourMs, max: hourMs }).map((offset) => now + offset);
const later = fc.integer({ min: 0, max: 3 * hourMs }).map((offset) => now + offset);
const text = fc.constantFrom('', 'x', 'x', 'y', 'constructor', '__proto__', 'é🙂');

const options = fc.constantFrom<unknown[][]>(
  ['a', 'b'],
  fourOptions,
  fourOptions.slice(1, 3),
  [...fourOptions, { value: 'allow', label: 'Other', kind: 'allow_once' }],
  [{ value: 'allow', label: 'Plain' }, ...fourOptions],
);

const fields = fc.subarray<unknown>(
  [
    { name: 'note', type: 'text' },
    { name: 'count', type: 'number', min: 0, default: 1 },
    { name: 'hosts', type: 'multi_select', options: ['x', 'y'] },
    { name: 'toString', type: 'text', visibleIf: { all_of: [{ field: 'note', op: 'not_empty' }] } },
    { name: 'pin', type: 'password' },
    { name: 'token', type: 'text', secret: true, required: true },
    { type: 'heading', text: 'Look' },
  ],
  { minLength: 1 },
);

const recommendations = fc.option(
  fc.record(
    { choice: fc.constantFrom('a', 'yes'), decision: fc.constantFrom('yes', 'no'), note: text },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);

const question: fc.Arbitrary<Asking> = fc.oneof(
  fc.constant({}),
  fc.record({ options, maxSelections: fc.constantFrom(1, 1, 2), minSelections: fc.constantFrom(0, 1) }),
  fc.record({ fields }),
  fc.record({
    kind: fc.constant('approval' as const),
    options,
    fields,
    recommendations: recommendations.map((r) => r ?? {}),
  }),
  fc.record({ kind: fc.constant('approval' as const), arguments: fc.constant({ note: 'proposed' }), fields }),
  fc.record({ options, payloadSchema: fc.constantFrom({}, { type: 'object', required: ['n'] }) }),
  fc.constant({ payloadSchema: { type: 'integer' } }),
);

const deadline = fc.record(
  {
    at: fc.oneof({ arbitrary: later.map(at), weight: 9 }, { arbitrary: fc.constant('soon'), weight: 1 }),
    outcome: fc.constantFrom('expire' as const, 'recommended' as const, 'decline' as const),
    remindBeforeMs: fc.uniqueArray(fc.integer({ min: 1, max: 3 * hourMs }), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['at', 'outcome'] },
);

const escalations = fc.array(
  fc.record({
    at: later.map(at),
    assignees: fc.array(fc.constantFrom('ann', 'ben', 'cy', 'requester'), { minLength: 1, maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 3 },
);

const policy: fc.Arbitrary<Asking> = fc.record(
  {
    responder: fc.record(
      {
        type: fc.constantFrom('human' as const, 'human' as const, 'agent' as const),
        assignees: fc.array(fc.constantFrom('ann', 'ben', 'cy', 'requester'), { minLength: 2, maxLength: 5 }),
      },
      { requiredKeys: ['type'] },
    ),
    resolution: fc.oneof(
      { arbitrary: fc.constant({ mode: 'first' as const }), weight: 1 },
      {
        arbitrary: fc.record({
          mode: fc.constantFrom('quorum' as const, 'unanimous' as const),
          count: fc.integer({ min: 1, max: 3 }),
        }),
        weight: 3,
      },
    ),
    deadline,
    escalations,
    grant: fc.record(
      {
        key: fc.constantFrom('k', '__proto__'),
        scope: fc.constantFrom('run' as const, 'thread' as const, 'org' as const),
        forMs: fc.constant(hourMs),
      },
      { requiredKeys: ['key', 'scope'] },
    ),
    run: fc.constant({ id: 'r1' }),
  },
  { requiredKeys: [] },
);

const grant: fc.Arbitrary<Grant> = fc.record(
  {
    id: fc.uuid(),
    key: fc.constantFrom('k', 'k', '__proto__'),
    scope: fc.constantFrom('run' as const, 'thread' as const, 'org' as const),
    decision: fc.constantFrom('allow' as const, 'reject' as const),
    threadId: fc.constantFrom('thread', 'other'),
    interactionId: fc.constant('earlier'),
    runId: fc.constant('r1'),
    by: actor,
    voters: fc.subarray([ann, ben, cy, agent], { minLength: 1 }),
    createdAt: time.map(at),
    expiresAt: later.map(at),
    revokedAt: fc.constant(at(now)),
  },
  { requiredKeys: ['id', 'key', 'scope', 'decision', 'threadId', 'interactionId', 'by', 'voters', 'createdAt'] },
);

const hidden = fc.constantFrom<unknown[]>(sentinel, `${sentinel}!`, [sentinel], { is: sentinel });
const pick = fc.constantFrom<unknown[]>(
  'a',
  'b',
  'yes',
  'ever',
  'no',
  'never',
  'allow',
  ['a'],
  ['b', 'a'],
  ['yes', 'never'],
  7,
);
const values = fc.record(
  {
    text,
    choice: pick,
    decision: pick,
    note: text,
    count: fc.constantFrom<unknown[]>(0, 3, -1, 'three'),
    hosts: fc.constantFrom(['x'], ['y', 'x'], ['z']),
    toString: text,
    pin: hidden,
    token: hidden,
    stray: text,
  },
  { requiredKeys: ['text', 'choice', 'decision', 'token'] },
);

const patch: fc.Arbitrary<UpdateInteraction> = fc.record(
  {
    expectedVersion: fc.integer({ min: 1, max: 4 }),
    title: fc.constantFrom('New', ' New '),
    body: fc.constantFrom(null, 'body'),
    fields: fields,
    recommendations: fc.constantFrom(null, {}, { note: 'x' }, { choice: 'a' }),
    deadline: fc.oneof(fc.constant(null), deadline),
    escalations: fc.oneof(fc.constant(null), escalations),
    trace: fc.constantFrom(null, { t: 1 }),
    metadata: fc.constantFrom(null, {}),
  },
  { requiredKeys: [] },
);

type Step = { time: number } & (
  | { type: 'answer'; by: Actor; values: Record<string, unknown>; payload: unknown; isAimed: boolean }
  | { type: 'decline' | 'cancel'; by: Actor; reason: string | undefined }
  | { type: 'update'; patch: UpdateInteraction }
  | { type: 'unassign'; assignee: string }
  | { type: 'claim'; by: Actor }
  | { type: 'release'; by: Actor }
  | { type: 'delegate'; by: Actor; to: string }
  | { type: 'reassign'; assignees: string[] }
  | { type: 'expire' }
);

const named = fc.constantFrom('ann', 'ben', 'cy', 'dan', 'requester', 'person:ann', 'group:crew');

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    arbitrary: fc.record({
      type: fc.constant('answer' as const),
      time,
      by: actor,
      values,
      isAimed: fc.constantFrom(true, true, true, false),
      payload: fc.constantFrom(undefined, 7, { n: 1 }),
    }),
    weight: 12,
  },
  {
    arbitrary: fc.record({
      type: fc.constant('decline' as const),
      time,
      by: actor,
      reason: fc.constantFrom(undefined, 'no'),
    }),
    weight: 2,
  },
  {
    arbitrary: fc.record({
      type: fc.constant('cancel' as const),
      time,
      by: actor,
      reason: fc.constantFrom(undefined, 'no'),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ type: fc.constant('update' as const), time, patch }), weight: 3 },
  {
    arbitrary: fc.record({
      type: fc.constant('unassign' as const),
      time,
      assignee: fc.constantFrom('ann', 'ben', 'cy', 'requester'),
    }),
    weight: 2,
  },
  { arbitrary: fc.record({ type: fc.constantFrom('claim' as const, 'release' as const), time, by: actor }), weight: 2 },
  { arbitrary: fc.record({ type: fc.constant('delegate' as const), time, by: actor, to: named }), weight: 1 },
  {
    arbitrary: fc.record({
      type: fc.constant('reassign' as const),
      time,
      assignees: fc.array(named, { minLength: 1, maxLength: 4 }),
    }),
    weight: 1,
  },
  { arbitrary: fc.record({ type: fc.constant('expire' as const), time }), weight: 2 },
);

/** Mostly adds the grant that a question needs, and removes parts that would be refused, so that few are refused. */
function fitted([asked, under, isFitted]: [Asking, Asking, boolean]): Asking {
  const { grant: offer = { key: 'k', scope: 'thread' as const }, ...others } = under;
  if (!isFitted) return { ...asked, ...under };
  const isPick = asked.options !== undefined && (asked.maxSelections ?? 1) === 1;
  return { ...asked, ...others, ...(isPick ? { grant: offer, run: { id: 'r1' } } : {}) };
}

const story = fc.record({
  asking: fc.tuple(question, policy, fc.constantFrom(true, true, true, false)).map(fitted),
  asked: fc.integer({ min: -hourMs, max: 1 }).map((offset) => now + offset),
  grants: fc.array(grant, { maxLength: 6, size: '+1' }),
  steps: fc.array(step, { minLength: 4, maxLength: 15 }),
});

/** Returns the command of a step, or undefined if the patched question would be refused before the rules see it. */
function commandOf(step: Step, state: Interaction, n: number): Command | undefined {
  const ids = { answerId: `answer-${n}`, grantId: `grant-${n}`, splitId: `split-${n}` };
  if (step.type === 'answer') {
    const { by, values: sent, payload, isAimed } = step;
    return {
      type: 'answer',
      ...ids,
      by,
      values: sendable(state, sent, isAimed),
      ...defined({ payload }),
    };
  }
  if (step.type === 'expire') return { type: 'expire', ...ids };
  if (step.type === 'claim') return { type: 'claim', by: step.by, forMs: hourMs };
  if (step.type === 'release') return { type: 'release', by: step.by, isAdmin: false };
  if (step.type === 'delegate') return { type: 'delegate', by: step.by, to: step.to, digestOf };
  if (step.type === 'reassign')
    return { type: 'reassign', by: agent, isAdmin: true, assignees: step.assignees, digestOf };
  if (step.type === 'unassign') return { type: 'unassign', by: agent, assignee: step.assignee, digestOf };
  if (step.type !== 'update')
    return { type: step.type, ...ids, by: step.by, ...(step.reason === undefined ? {} : { reason: step.reason }) };
  const { kind, title, body, fields: stored, recommendations: recommended, payloadSchema, arguments: proposed } = state;
  const parts = {
    kind,
    title,
    body,
    fields: stored,
    recommendations: recommended,
    payloadSchema,
    arguments: proposed,
    ...step.patch,
  };
  const named = ['kind', 'title', 'body', 'fields', 'recommendations', 'payloadSchema', 'arguments'];
  const present = Object.entries(parts).filter(
    ([name, part]) => named.includes(name) && part !== undefined && part !== null,
  );
  const checked = checkQuestion(Object.fromEntries(present) as unknown as QuestionInput);
  if (!checked.ok) return undefined;
  const { question } = checked;
  return { type: 'update', by: agent, isAdmin: true, patch: step.patch, question, digestOf };
}

/** Returns the values to send, mostly only those of existing fields, so that many answers are valid. Only secret fields get sentinels. */
function sendable(state: Interaction, sent: Record<string, unknown>, isAimed: boolean): Record<string, unknown> {
  const inputs = state.fields.filter(isInputField);
  const entries = Object.entries(sent).flatMap(([name, value]) => {
    const field = inputs.find((input) => input.name === name);
    if (!field) return isAimed || name === 'pin' || name === 'token' ? [] : [[name, value]];
    const isNoOption = 'options' in field && ![value].flat().every((one) => isOption(field.options, one));
    return isAimed && isNoOption ? [[name, firstOption(field)]] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

const isOption = (all: readonly { value: string }[], one: unknown) => all.some(({ value }) => value === one);

const firstOption = (field: Extract<Field, { options: unknown }>) =>
  field.type === 'multi_select' ? [field.options[0]?.value] : field.options[0]?.value;

function checkStep(before: Interaction | null, type: Command['type'], decided: Decided): void {
  const met = before?.status ?? 'absent';
  const cell = transitions[met][type];
  if (!decided.ok) {
    const { fault } = decided;
    if (cell !== 'decide') expect(fault.code).toBe(cell);
    expect(JSON.stringify(fault)).not.toContain(sentinel);
    if (fault.code === 'invalid-answer' || fault.code === 'invalid-input')
      expect(fault.problems?.length).toBeGreaterThan(0);
    else expect(fault.current).toMatchObject({ id: before?.id, status: met, version: before?.version });
    return;
  }
  expect(cell).toBe('decide');
  const { interaction, events, grant: given, secrets } = decided.outcome;
  expect(reachable[type]).toContain(interaction.status);
  expect(checkShape(InteractionSchema, interaction)).toEqual([]);
  expect(JSON.parse(JSON.stringify(interaction))).toEqual(interaction);
  if (before) expect(interaction.version).toBe(before.version + 1);
  else expect(interaction.version).toBe(interaction.status === 'pending' ? 1 : 2);

  expect(events.length).toBeGreaterThan(0);
  for (const event of events) {
    expect(checkShape(EventTypeSchema, event.type)).toEqual([]);
    expect(event.interactionId).toBe(interaction.id);
    expect((event.data as FreeObject).version).toBe(event.type === 'interaction.created' ? 1 : interaction.version);
  }
  expect(JSON.stringify([interaction, events, given])).not.toContain(sentinel);
  expect(interaction.votes.slice(0, before?.votes.length ?? 0)).toEqual(before?.votes ?? []);
  checkClosed(interaction);
  checkVotes(interaction);
  checkBound(interaction);
  if (given) expect(checkShape(GrantSchema, given)).toEqual([]);
  if (secrets) expect(Object.keys(secrets)).toEqual(interaction.answer?.secretFields);
  else expect(interaction.answer?.secretFields).toBeUndefined();
}

function checkClosed(interaction: Interaction): void {
  const { status, closedAt, closedBy, closedReason, answer } = interaction;
  const isClosed = status !== 'pending';
  expect([closedAt, closedBy, closedReason].map((part) => part !== undefined)).toEqual([isClosed, isClosed, isClosed]);
  expect(answer !== undefined).toBe(status === 'answered');
  if (answer) expect(checkShape(AnswerSchema, answer)).toEqual([]);
}

/** The digest covers the question and its policy, here without a hash. Only the policy may change after a vote. */
function checkBound(interaction: Interaction): void {
  const { digest, votes, answer } = interaction;
  expect(digest).toBe(digestOf(interaction));
  if (answer) expect(answer.digest).toBe(digest);
  for (const vote of votes) expect(wordsIn(vote.digest)).toEqual(wordsIn(digest));
}

function wordsIn(digest = '{}'): object {
  const { responder: _who, resolution: _how, deadline: _when, grant: _grant, ...words } = JSON.parse(digest);
  return words;
}

/** Every vote has another responder, and its values are still a valid answer. */
function checkVotes({ votes, fields: asked, payloadSchema, kind }: Interaction): void {
  expect(new Set(votes.map(({ by }) => `${by.type} ${by.id}`)).size).toBe(votes.length);
  // The votes have no secret values, so only the other fields are required here.
  for (const vote of votes) {
    const isDeclined = vote.decision === 'declined';
    if (isDeclined && Object.keys(vote.values).length === 0) continue;
    // A rejection need not fill in the rest.
    const open = asked.map((field) => (isDeclined || isSecretField(field) ? { ...field, required: false } : field));
    expect(validateValues(open as typeof asked, vote.values)).toEqual({ ok: true, values: vote.values });
    if (payloadSchema && !(isDeclined && vote.payload === undefined))
      expect(validatePayload(payloadSchema, vote.payload)).toEqual([]);
    if (kind === 'approval') expect(vote.values.decision).toBeTypeOf('string');
  }
}

/** Makes the grants cover the question, so that their other properties decide whether they answer. */
function covering(asking: Asking, time: number, grants: readonly Grant[]): Grant[] {
  const bare = decideAsk(asking, { time });
  const covers = bare.ok ? coverageWanted(bare.outcome.interaction) : undefined;
  return grants.map((each) => (covers ? { ...each, covers } : each));
}

test('[AN1][AN2][AN3][AN9][AN10][R2][BD1][BD3] no sequence of commands leaves the table or breaks what always holds', () => {
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(story, ({ asking, asked, grants, steps }) => {
      const isQuestion = checkQuestion({ title: 'Well?', ...questionOf(asking) }).ok;
      if (!isQuestion) return;
      const created = decideAsk(asking, { time: asked, grants: covering(asking, asked, grants) });
      checkStep(null, 'create', created);
      if (!created.ok) return;
      let state = created.outcome.interaction;
      count(`create ${state.status}`);
      for (const [n, step] of steps.entries()) {
        const command = commandOf(step, state, n);
        if (!command) continue;
        const before = structuredClone(state);
        const decided = decide(state, command, step.time);
        expect(state).toEqual(before);
        checkStep(state, command.type, decided);
        if (before.status !== 'pending') expect(decided.ok).toBe(false);
        if (!decided.ok) continue;
        state = decided.outcome.interaction;
        count(`${command.type} ${state.status}${state.answer?.automatic ? ` by ${state.answer.automatic}` : ''}`);
        for (const { type } of decided.outcome.events) count(type);
        if (decided.outcome.grant) count('grant given');
        if (decided.outcome.secrets) count('secrets kept');
      }
    }),
    { numRuns: 5_000 },
  );
  // A property that never meets a case proves nothing about it.
  for (const what of [
    'create pending',
    'create answered',
    'answer pending',
    'answer answered',
    'decline pending',
    'decline answered',
    'cancel cancelled',
    'update pending',
    'expire pending',
    'claim pending',
    'release pending',
    'delegate pending',
    'reassign pending',
    'expire expired',
    'expire answered by deadline',
    'interaction.reminded',
    'interaction.escalated',
    'grant given',
    'secrets kept',
  ])
    expect([what, seen.get(what) ?? 0]).toEqual([what, expect.toSatisfy((times: number) => times > 0)]);
});

function questionOf(asking: Asking): Asking {
  const { responder: _r, resolution: _m, deadline: _d, escalations: _e, grant: _g, run: _n, ...rest } = asking;
  return rest;
}

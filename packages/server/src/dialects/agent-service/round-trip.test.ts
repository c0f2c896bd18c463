/** A request of this dialect comes back as it was sent. A request of another dialect is a valid resource too. */
import {
  type Block,
  CreateInteractionSchema,
  checkPayloadSchema,
  checkQuestion,
  checkShape,
  type Interaction,
  isInputField,
  isSecretField,
  SubmitAnswerSchema,
  validatePayload,
} from '@holdpoint/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryAnswers } from '../../../../protocol/test/arbitraries.ts';
import {
  type Asking,
  accepted,
  ann,
  ask,
  decideAnswer,
  decideAsk,
  decideCancel,
  decideDecline,
  decideExpire,
  hourMs,
  now,
} from '../../domain/asking.fixture.ts';
import { fromRespond } from './answer-codec.ts';
import { arbitraryAsking } from './arbitrary-commands.fixture.ts';
import { fromCreate, toResource } from './request-codec.ts';
import { resourceProblems } from './resource-check.fixture.ts';
import { type CreateCommand, CreateCommandSchema, type RespondCommand } from './schemas.ts';

const admin = { kind: 'key', role: 'admin' } as const;

function asking(command: CreateCommand) {
  const read = fromCreate(command, 'org');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.asking;
}

function answered(interaction: Interaction, command: RespondCommand): Interaction {
  const responding = fromRespond(interaction, { submittedBy: ann.id, ...command }, admin);
  if (responding.verb === 'refuse') throw new Error(JSON.stringify(responding.problems));
  const { responder, ...sent } = responding.input;
  expect(checkShape(SubmitAnswerSchema, sent)).toEqual([]);
  if (responding.verb === 'declineInteraction') return accepted(decideDecline(interaction, ann)).interaction;
  const by = responder ? { ...responder, via: 'key' as const } : ann;
  return accepted(decideAnswer(interaction, by, sent)).interaction;
}

const writable = ({
  kind,
  prompt,
  scope = 'interaction',
  origin = { type: 'agent' },
  blocking = true,
  resolutionPolicy = 'first',
  deadlineAt,
  ...rest
}: CreateCommand) => ({
  ...rest,
  kind,
  prompt,
  scope,
  origin,
  blocking,
  resolutionPolicy,
  ...(deadlineAt === undefined ? {} : { deadlineAt: new Date(deadlineAt).toISOString() }),
});

test('a create is a question of ours, and its resource says the same', () => {
  fc.assert(
    fc.property(arbitraryAsking, ({ command }) => {
      expect(checkShape(CreateCommandSchema, command)).toEqual([]);
      const asked = asking(command);
      expect(checkShape(CreateInteractionSchema, asked)).toEqual([]);
      expect(checkQuestion(asked)).toMatchObject({ ok: true });
      const resource = toResource(ask(asked as Asking, { threadId: command.threadId ?? 't' }), 'org');
      expect(resourceProblems(resource)).toEqual([]);
      expect(resource).toMatchObject(writable(command));
      expect(resource.metadata).toEqual(command.metadata);
      expect(resource.options !== undefined).toBe(command.kind === 'choice' || command.kind === 'approval');
    }),
    { numRuns: 500 },
  );
});

test('a resource can be sent again as a create, and asks the same', () => {
  fc.assert(
    fc.property(arbitraryAsking, ({ command }) => {
      const first = toResource(ask(asking(command) as Asking), 'org');
      const again = { ...first } as CreateCommand;
      expect(checkShape(CreateCommandSchema, again)).toEqual([]);
      expect(toResource(ask(asking(again) as Asking), 'org')).toEqual(first);
    }),
  );
});

test('a response comes back as it was given', () => {
  fc.assert(
    fc.property(arbitraryAsking, fc.nat(), fc.boolean(), ({ command, payload }, pick, isSaid) => {
      const { resolutionPolicy: _votes, ...alone } = command;
      const interaction = ask(asking(alone) as Asking);
      const { options, kind, payloadSchema } = toResource(interaction, 'org');
      const option = options?.[pick % options.length];
      const decision = option?.kind.startsWith('reject') ? ('declined' as const) : ('accepted' as const);
      const text = kind === 'input' && !payloadSchema ? 'hello' : payload;
      const given = {
        ...(option ? { selectedOptionId: option.id } : {}),
        ...(text === undefined ? {} : { payload: text }),
        metadata: { device: 'phone' },
      };
      const resource = toResource(answered(interaction, { ...given, ...(isSaid ? { decision } : {}) }), 'org');
      expect(resourceProblems(resource)).toEqual([]);
      expect(resource).toMatchObject({ status: 'resolved', version: 2, resolvedAt: resource.updatedAt });
      expect(resource.response).toEqual({
        decision,
        ...given,
        submittedBy: 'ann',
        submittedAt: resource.updatedAt,
      });
    }),
    { numRuns: 500 },
  );
});

const blocks = fc.array(
  fc.constantFrom<Block[]>(
    { type: 'message', payload: { text: 'Hi', format: 'plain' } },
    { type: 'message', payload: { text: 7 } },
    { type: 'image', payload: { url: 'x' }, meta: {} },
    { type: 'binary', payload: { mimeType: 'a/b', url: 'x' } },
    { type: 'binary', payload: { url: 'x', extra: 1 } },
    { type: 'data', payload: {} },
    { id: 'b', type: 'data', payload: { data: null } },
  ),
  { maxLength: 3 },
);

const fourOptions = [
  { value: 'yes', label: 'Yes', kind: 'allow_once' },
  { value: 'ever', label: 'Always', kind: 'allow_always' },
  { value: 'no', label: 'No', kind: 'reject_once', description: 'Not now' },
];

const elsewhere: fc.Arbitrary<{ asked: Asking; values: Record<string, unknown> }> = fc
  .record({
    answers: arbitraryAnswers,
    kind: fc.constantFrom('form', 'approval', 'choice', 'multiple', 'input', 'payload'),
    content: blocks,
    policy: fc.record(
      {
        run: fc.constantFrom({ id: 'r' }, { id: 'r', attemptId: '2', toolCallId: 't' }),
        body: fc.constant('Really'),
        blocking: fc.boolean(),
        metadata: fc.constant({ a: 1 }),
        submitLabel: fc.constant('Go'),
        resolution: fc.constantFrom<NonNullable<Asking['resolution']>[]>(
          { mode: 'first' },
          { mode: 'quorum', count: 2 },
          { mode: 'unanimous', count: 1 },
        ),
        deadline: fc.constant({ at: '2030-01-01T03:00:00+02:00', outcome: 'decline' as const }),
        origin: fc.constantFrom({ type: 'tool' as const, reference: 'x' }, { type: 'policy' as const }),
        original: fc.constantFrom<NonNullable<Asking['original']>[]>(
          { dialect: 'chat-requests', sent: { prompt: {} } },
          { dialect: 'agent-service', sent: { prompt: 7 } },
          { dialect: 'agent-service', sent: { kind: 'choice', prompt: {}, extra: 1 } },
        ),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ answers: { fields, values }, kind, content, policy }) => {
    const [first] = fields.filter(isInputField);
    const common = { ...policy, ...(content.length > 0 ? { content } : {}) };
    const grant = { grant: { key: 'k', scope: 'org' as const } };
    switch (kind) {
      case 'form':
        return { asked: { ...common, ...(first ? { fields } : {}) }, values };
      case 'approval': {
        const asked = { ...common, ...grant, kind: 'approval' as const, options: fourOptions, fields };
        return { asked: { ...asked, arguments: { path: '/tmp' } }, values: { ...values, decision: 'ever' } };
      }
      case 'choice':
        return { asked: { ...common, options: ['a', 'b'], minSelections: 0 }, values: {} };
      case 'multiple':
        return { asked: { ...common, options: ['a', 'b'], maxSelections: 2 }, values: { choice: ['a', 'b'] } };
      case 'input': {
        const { visibleIf: _always, ...field } = { visibleIf: undefined, ...first };
        if (!first) return { asked: common, values: { text: 'x' } };
        const own = Object.entries(values).filter(([name]) => name === first.name);
        return { asked: { ...common, kind: 'input' as const, fields: [field] }, values: Object.fromEntries(own) };
      }
      default:
        return { asked: { ...common, payloadSchema: { type: 'object' } }, values: {} };
    }
  });

test('whatever was asked elsewhere, and whatever became of it, is a sound resource', () => {
  let closed = 0;
  fc.assert(
    fc.property(elsewhere, fc.nat({ max: 3 }), ({ asked, values }, end) => {
      const decided = decideAsk(asked);
      fc.pre(decided.ok);
      const { interaction } = accepted(decided);
      const outcome = [
        () => decideAnswer(interaction, ann, asked.payloadSchema ? { payload: {} } : { values }),
        () => decideDecline(interaction, ann, now, 'Not today'),
        () => decideCancel(interaction),
        () => decideExpire(interaction, now + 24 * hourMs),
      ][end]?.();
      const after = outcome?.ok ? outcome.outcome.interaction : interaction;
      if (after.status !== 'pending') closed++;
      for (const state of [interaction, after]) {
        const resource = toResource(state, 'org');
        expect(resourceProblems(resource)).toEqual([]);
        expect(resource.prompt.title).toBe(state.title);
        expect(resource.runId).toBe(state.run?.id ?? state.id);
        expect(resource.scope).toBe(state.grant ? 'org' : 'interaction');
        if (resource.payloadSchema) expect(checkPayloadSchema(resource.payloadSchema)).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
  expect(closed).toBeGreaterThan(100);
});

test('what was asked elsewhere is answered here, and the payload fits the payloadSchema that was shown', () => {
  let count = 0;
  fc.assert(
    fc.property(elsewhere, fc.boolean(), ({ asked, values }, isBare) => {
      const { resolution: _votes, ...alone } = asked;
      const decided = decideAsk(alone);
      fc.pre(decided.ok && !alone.payloadSchema && !decided.outcome.interaction.fields.some(isSecretField));
      const { interaction } = accepted(decided);
      const natively = decideAnswer(interaction, ann, { values });
      fc.pre(natively.ok);
      const kept = accepted(natively).interaction;
      const shown = toResource(interaction, 'org');

      const { choice, decision, ...others } = values;
      const [only] = Object.values(values);
      const isValue = interaction.kind === 'input' && isBare && only !== null && only !== undefined;
      const command: RespondCommand =
        interaction.kind === 'approval' && isBare
          ? { selectedOptionId: String(decision), payload: others }
          : isValue
            ? { payload: only }
            : { payload: values };
      const closed = answered(interaction, command);
      expect(closed.answer?.values).toEqual(kept.answer?.values);
      const { response } = toResource(closed, 'org');
      if (response?.payload !== undefined && shown.payloadSchema) {
        count++;
        expect(validatePayload(shown.payloadSchema, response.payload)).toEqual([]);
      }
    }),
    { numRuns: 1000 },
  );
  expect(count).toBeGreaterThan(50);
});

/** The question every row asks and the answer it gets: a form of six fields, about 1.3 KB on the wire. */
import {
  type CreateInteraction,
  checkQuestion,
  type Interaction,
  type SubmitAnswer,
} from '../packages/protocol/src/index.ts';
import type { Outcome } from '../packages/server/src/domain/command.ts';
import { decide } from '../packages/server/src/domain/decide.ts';
import { digestOf } from '../packages/server/src/operations/interactions/change-interaction.ts';

const options = (...values: string[]) => values.map((value) => ({ value, label: value.toUpperCase() }));

export const sampleQuestion: CreateInteraction = {
  title: 'Deploy build 4711 of the payment service?',
  body: 'The build passed **all 812 checks**. It changes the rounding of refunds and needs a migration of about forty seconds, in which refunds wait. Say where it should go, when, and who is asked.',
  fields: [
    { name: 'environment', type: 'select', label: 'Environment', required: true, options: options('staging', 'prod') },
    {
      name: 'regions',
      type: 'multi_select',
      label: 'Regions',
      minSelections: 1,
      options: options('eu-central', 'eu-west', 'us-east', 'ap-south'),
    },
    { name: 'replicas', type: 'number', label: 'Replicas', min: 1, max: 64 },
    { name: 'ticket', type: 'text', label: 'Change ticket', placeholder: 'CHG-1234', maxLength: 40 },
    {
      name: 'note',
      type: 'textarea',
      label: 'Note for the log',
      maxLength: 2_000,
      visibleIf: { all_of: [{ field: 'environment', op: 'equals', value: 'prod' }] },
    },
    { name: 'notify', type: 'checkbox', label: 'Tell the on-call team' },
  ],
  metadata: { service: 'payments', build: 4711, commit: '9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c', attempt: 1 },
};

export const sampleAnswer: SubmitAnswer = {
  values: {
    environment: 'prod',
    regions: ['eu-central', 'us-east'],
    replicas: 6,
    ticket: 'CHG-2026',
    note: 'After the nightly reports, please.',
    notify: true,
  },
};

const { metadata = {}, ...asked } = sampleQuestion;
const checked = checkQuestion(asked);
if (!checked.ok) throw new Error(`the sample question is not valid: ${JSON.stringify(checked.problems)}`);
const { question } = checked;
const agent = { type: 'agent', id: 'admin', via: 'key' } as const;
const human = { type: 'human', id: 'key:admin', via: 'token' } as const;

export function askSample({ id, threadId, now }: { id: string; threadId: string; now: number }): Outcome {
  const policy = {
    blocking: true,
    responder: { type: 'human' },
    resolution: { mode: 'first' },
    origin: { type: 'agent' },
    metadata,
  } as const;
  const asking = { id, threadId, question, digestOf, policy, by: agent, isAdmin: true } as const;
  const command = { type: 'create', ...asking, answerId: id, grants: [] } as const;
  return outcomeOf(decide(null, command, now));
}

export function answerSample(state: Interaction, now: number): Outcome {
  const { id } = state;
  const values = sampleAnswer.values ?? {};
  return outcomeOf(decide(state, { type: 'answer', answerId: id, grantId: id, splitId: id, by: human, values }, now));
}

function outcomeOf(decided: ReturnType<typeof decide>): Outcome {
  if (!decided.ok) throw new Error(`the sample was refused: ${JSON.stringify(decided.fault)}`);
  return decided.outcome;
}

/** Asks and answers in a test as the operations do, with fixed ids and a fixed time. */
import {
  type Actor,
  checkQuestion,
  currentScheme,
  defined,
  type Fault,
  type FreeObject,
  type Grant,
  type Interaction,
  type QuestionInput,
  type StoredFile,
  type UpdateInteraction,
} from '@holdpoint/protocol';
import type { Decided, Outcome, Policy } from './command.ts';
import { decide } from './decide.ts';
import { readPolicy } from './policy.ts';

export const now = Date.parse('2030-01-01T00:00:00.000Z');
export const hourMs = 3_600_000;
export const at = (time: number): string => new Date(time).toISOString();

export const agent: Actor = { type: 'agent', id: 'requester', via: 'key' };
export const human = (id: string): Actor => ({ type: 'human', id, via: 'token' });
/** Without a hash, so that a test can read it. */
export const digestOf = currentScheme.textOf;

export const [ann, ben, cy] = [human('ann'), human('ben'), human('cy')];

export type Asking = Omit<QuestionInput, 'title'> & Partial<Policy> & { title?: string };

interface Around {
  time?: number;
  threadId?: string;
  grants?: readonly Grant[];
  isAdmin?: boolean;
}

export function decideAsk(
  asking: Asking,
  { time = now, threadId = 'thread', grants = [], isAdmin = true }: Around = {},
): Decided {
  const { input, policy } = readPolicy({ title: 'Well?', ...asking });
  const checked = checkQuestion(input);
  if (!checked.ok) throw new Error(`the question is not one: ${JSON.stringify(checked.problems)}`);
  const { question } = checked;
  const command = {
    type: 'create',
    id: 'asked',
    threadId,
    question,
    digestOf,
    policy,
    by: agent,
    isAdmin,
    answerId: 'auto',
    grants,
  } as const;
  return decide(null, command, time);
}

export const ask = (asking: Asking, around?: Around): Interaction => accepted(decideAsk(asking, around)).interaction;

export function decideAnswer(
  state: Interaction,
  by: Actor,
  sent: {
    values?: FreeObject;
    payload?: unknown;
    reason?: string;
    metadata?: FreeObject;
    expectedVersion?: number;
    files?: readonly StoredFile[];
  } = {},
  time = now,
): Decided {
  const ids = { answerId: `vote-${by.id}`, grantId: 'grant', splitId: 'split' };
  return decide(state, { type: 'answer', ...ids, by, values: {}, ...sent }, time);
}

export const answer = (state: Interaction, by: Actor, values: FreeObject = {}, time = now): Outcome =>
  accepted(decideAnswer(state, by, { values }, time));

export function decideDecline(state: Interaction, by: Actor, time = now, reason?: string): Decided {
  const ids = { answerId: `vote-${by.id}`, splitId: 'split' };
  return decide(state, { type: 'decline', ...ids, by, ...defined({ reason }) }, time);
}

export const decline = (state: Interaction, by: Actor, time = now): Outcome => accepted(decideDecline(state, by, time));

export const decideCancel = (state: Interaction, reason?: string, time = now): Decided =>
  decide(state, { type: 'cancel', by: agent, ...defined({ reason }) }, time);

export const decideExpire = (state: Interaction, time: number): Decided =>
  decide(state, { type: 'expire', answerId: 'taken' }, time);

export function decideUpdate(
  state: Interaction,
  { expectedVersion, ...patch }: UpdateInteraction,
  time = now,
  isAdmin = true,
): Decided {
  const { kind, title, fields, body, recommendations, content, payloadSchema, submitLabel } = state;
  const parts = {
    kind,
    title,
    fields,
    body,
    recommendations,
    content,
    payloadSchema,
    arguments: state.arguments,
    submitLabel,
  };
  const words = (({ title, fields, body, recommendations, submitLabel }) => ({
    title,
    fields,
    body,
    recommendations,
    submitLabel,
  }))(patch);
  const merged = { ...parts, ...given(words) };
  const present = Object.fromEntries(
    Object.entries(merged).filter(([, value]) => value !== undefined && value !== null),
  );
  const checked = checkQuestion(present as unknown as QuestionInput);
  if (!checked.ok) throw new Error(`the patched question is not one: ${JSON.stringify(checked.problems)}`);
  const { question } = checked;
  const expected = expectedVersion === undefined ? {} : { expectedVersion };
  return decide(state, { type: 'update', by: agent, isAdmin, patch, question, digestOf, ...expected }, time);
}

const given = (parts: FreeObject): FreeObject =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));

export function accepted(decided: Decided): Outcome {
  if (!decided.ok) throw new Error(`it was refused: ${JSON.stringify(decided.fault)}`);
  return decided.outcome;
}

export function refused(decided: Decided): Fault {
  if (decided.ok) throw new Error(`it was accepted: ${JSON.stringify(decided.outcome)}`);
  return decided.fault;
}

export const problemsIn = (decided: Decided): [pointer: string, code: string][] =>
  (refused(decided).problems ?? []).map(({ pointer, code }) => [pointer, code]);

/** Options of every kind that an approval may have, one of each. */
export const fourOptions = [
  { value: 'yes', label: 'Yes', kind: 'allow_once' },
  { value: 'ever', label: 'Always', kind: 'allow_always' },
  { value: 'no', label: 'No', kind: 'reject_once' },
  { value: 'never', label: 'Never', kind: 'reject_always' },
];

/** An interrupt as questions, and what their ends amount to for the node that waits. */
import { type Interaction, input, isObject, outcomeOf, type ReadingOptions, textarea } from '@holdpoint/protocol';
import type { Interrupt } from '@langchain/langgraph';
import type { Question } from '../shared/ask-once.ts';
import { wordsOf } from '../shared/shown.ts';
import { tellOutcome } from '../shared/tell-outcome.ts';
import { inboxHeld, isHumanInterrupt } from './agent-inbox.ts';
import { isReviewRequest, reviewHeld } from './review-request.ts';

export interface Held {
  questions: Question[];
  /** What `interrupt` gives, of the questions in the same order, all closed. */
  resume(closed: readonly Interaction[], reading: ReadingOptions): unknown;
}

type Resume = (closed: Interaction, reading: ReadingOptions) => unknown;

export function heldOf({ value, response_schema: schema }: Interrupt): Held {
  if (isQuestion(value)) return one(value, (closed, reading) => tellOutcome(outcomeOf(closed, reading)));
  if (isHumanInterrupt(value)) return one(inboxHeld(value).question, inboxHeld(value).resume);
  if (Array.isArray(value) && value.length > 0 && value.every(isHumanInterrupt)) return several(value.map(inboxHeld));
  if (isReviewRequest(value)) return reviewHeld(value);
  const words = wordsOf(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  if (isObject(schema)) return one({ ...words, kind: 'form', payloadSchema: schema }, payloadOf);
  return one(input(textarea(), words), textOf);
}

const one = (question: Question, resume: Resume): Held => ({
  questions: [question],
  resume: ([closed], reading) => closed && resume(closed, reading),
});

function several(each: readonly { question: Question; resume: Resume }[]): Held {
  return {
    questions: each.map(({ question }) => question),
    resume: (closed, reading) => closed.map((interaction, index) => each[index]?.resume(interaction, reading)),
  };
}

/** What the builders make, and whatever else could be the body of a create call. */
const isQuestion = (value: unknown): value is Question =>
  isObject(value) &&
  typeof value.title === 'string' &&
  ['kind', 'fields', 'options', 'payloadSchema'].some((name) => name in value);

/** A node that knows nothing of Holdpoint expects a value; it gets null where nobody gave one. */
const textOf = (closed: Interaction) => {
  const outcome = outcomeOf<{ text: string }>(closed);
  return outcome.status === 'answered' ? outcome.values.text : null;
};
const payloadOf = (closed: Interaction) => {
  const outcome = outcomeOf(closed);
  return outcome.status === 'answered' ? outcome.answer.payload : null;
};

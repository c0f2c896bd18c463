/** Turns an interrupt into questions, and their outcomes into the value that the waiting node gets. */
import { type Interaction, isObject, outcomeOf, type ReadingOptions } from '@holdpoint/protocol';
import type { Interrupt } from '@langchain/langgraph';
import type { Question } from '../shared/ask-once.ts';
import { payloadQuestion, summaryOf, textQuestion, wordsOf } from '../shared/outcomes.ts';
import { inboxQuestion, isHumanInterrupt } from './agent-inbox.ts';
import { isReviewRequest, reviewQuestions } from './review-request.ts';

export interface InterruptQuestions {
  questions: Question[];
  /** Returns the value of `interrupt`. Takes the closed questions in the same order. */
  resume(closed: readonly Interaction[], reading: ReadingOptions): unknown;
}

type Resume = (closed: Interaction, reading: ReadingOptions) => unknown;

export function questionsOf({ value, response_schema: schema }: Interrupt): InterruptQuestions {
  if (isQuestion(value)) return one(value, (closed, reading) => summaryOf(outcomeOf(closed, reading)));
  if (isHumanInterrupt(value)) return one(inboxQuestion(value).question, inboxQuestion(value).resume);
  if (Array.isArray(value) && value.length > 0 && value.every(isHumanInterrupt))
    return several(value.map(inboxQuestion));
  if (isReviewRequest(value)) return reviewQuestions(value);
  const words = wordsOf(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  const { question, read } = isObject(schema) ? payloadQuestion(schema, words) : textQuestion(words);
  // A node that does not know Holdpoint expects a value: null if nobody gave one.
  return one(question, (closed) => read(closed) ?? null);
}

const one = (question: Question, resume: Resume): InterruptQuestions => ({
  questions: [question],
  resume: ([closed], reading) => closed && resume(closed, reading),
});

function several(each: readonly { question: Question; resume: Resume }[]): InterruptQuestions {
  return {
    questions: each.map(({ question }) => question),
    resume: (closed, reading) => closed.map((interaction, index) => each[index]?.resume(interaction, reading)),
  };
}

/** A question of our builders, or anything else that could be the body of a create call. */
const isQuestion = (value: unknown): value is Question =>
  isObject(value) &&
  typeof value.title === 'string' &&
  ['kind', 'fields', 'options', 'payloadSchema'].some((name) => name in value);

/** Questions and their outcomes, as models and other systems see them: without policy, records and secrets. */
import {
  type Answer,
  type Approval,
  type CreateInteraction,
  defined,
  type FreeObject,
  type Interaction,
  input,
  limits,
  type Outcome,
  outcomeOf,
  textarea,
} from '@holdpoint/protocol';
import type { Question } from './ask-once.ts';

export type OutcomeSummary<V = FreeObject> = Pick<Approval, 'automatic'> &
  ({ status: 'answered'; values: V } | { status: 'declined' | 'expired' | 'cancelled'; reason?: string });

export function summaryOf<V>(outcome: Outcome<V>): OutcomeSummary<V> {
  const by = defined({ automatic: outcome.automatic });
  if (outcome.status === 'answered') return { status: 'answered', values: outcome.values, ...by };
  const reason = outcome.status === 'expired' ? 'Nobody answered in time.' : outcome.reason;
  return { status: outcome.status, ...defined({ reason }), ...by };
}

/** Why an action did not run, such as `declined: Not on a Friday.` */
export function refusalOf(outcome: Outcome<unknown>): string {
  const summary = summaryOf(outcome);
  if (summary.status === 'answered') return 'declined';
  return summary.reason === undefined ? summary.status : `${summary.status}: ${summary.reason}`;
}

/** Informs the model that the person changed its call. */
export const editNotice = (tool: string, proposed: unknown, edited: unknown): string =>
  `A person approved the call of ${tool} with other arguments than yours. ` +
  `You proposed ${JSON.stringify(proposed)}; it runs with ${JSON.stringify(edited)}.`;

const contentNames = [
  'kind',
  'title',
  'body',
  'content',
  'fields',
  'arguments',
  'payloadSchema',
  'submitLabel',
] as const;

/** The content of a question without its policy: another agent must not set who may answer or what a deadline decides. */
export function contentOf(question: Interaction | FreeObject): CreateInteraction {
  const given = question as FreeObject;
  const content = contentNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return Object.fromEntries(content) as CreateInteraction;
}

/** Puts text of any length into the title and the body of a question. */
export function wordsOf(text: string, otherwise = 'Please answer'): { title: string; body?: string } {
  const words = text.trim();
  if (words === '') return { title: otherwise };
  if (words.length <= limits.titleLength && !words.includes('\n')) return { title: words };
  return { title: otherwise, body: words.slice(0, limits.bodyLength) };
}

/** Reads a time that another system wrote. Text that is no time is ignored. */
export function deadlineAt(text: string | undefined): Pick<CreateInteraction, 'deadline'> {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? {} : { deadline: { at: new Date(time).toISOString(), outcome: 'expire' } };
}

/** How a question is asked for a framework, and how its value for the framework is read: undefined without an answer. */
export interface ValueQuestion<V = unknown> {
  question: Question;
  read(closed: Interaction): V | undefined;
}

type Words = ReturnType<typeof wordsOf> & Pick<CreateInteraction, 'deadline'>;

const valueQuestion = <V>(question: Question, readAnswer: (answer: Answer) => V): ValueQuestion<V> => ({
  question,
  read(closed) {
    const outcome = outcomeOf(closed);
    return outcome.status === 'answered' ? readAnswer(outcome.answer) : undefined;
  },
});

export const textQuestion = (words: Words): ValueQuestion<string> =>
  valueQuestion(input(textarea(), words), ({ values }) => values.text as string);

export const payloadQuestion = (schema: FreeObject, words: Words): ValueQuestion =>
  valueQuestion({ ...words, kind: 'form', payloadSchema: schema }, ({ payload }) => payload);

/** For LangGraph.js: when a graph stops at an interrupt, people are asked, and it resumes with their answers. */
import type { Holdpoint } from '@holdpoint/client';
import { defined, type Interaction, type ReadingOptions, type ValuesOf } from '@holdpoint/protocol';
import { Command, interrupt, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { questionsOf } from './langgraph/interrupt-questions.ts';
import { type Graph, type PendingInterrupt, pendingInterrupts } from './langgraph/pending-interrupts.ts';
import { createOnce, type Place, type Question } from './shared/ask-once.ts';
import type { OutcomeSummary } from './shared/outcomes.ts';

export { type PendingInterrupt, pendingInterrupts };

/** Asks a question within a node: `interrupt` with the type of its outcome. */
export const hold = <Q extends Question>(question: Q): OutcomeSummary<ValuesOf<Q>> => interrupt(question);

export interface InterruptOptions extends ReadingOptions {
  /** The Holdpoint thread that gets the questions. */
  thread: Place['thread'];
  /** Stops waiting. The questions stay open, and a later run finds them. */
  signal?: AbortSignal;
}

export interface GraphOptions extends InterruptOptions {
  /** Must have the graph's `thread_id`. */
  config: LangGraphRunnableConfig;
}

/** Runs a graph to its end, through all its interrupts. A graph that was cut short continues from its checkpoint, without the input. */
export async function runWithPeople<Input, Output>(
  hp: Holdpoint,
  graph: Graph<Input, Output>,
  input: NoInfer<Input>,
  { config, ...options }: GraphOptions,
): Promise<Output> {
  const go = (next: Input | Command | null) => graph.invoke(next as Input, config);
  let pending = await pendingInterrupts(graph, config);
  const { tasks } = await graph.getState(config);
  // A node that failed after it was resumed keeps its answer, but still shows the answered interrupt. It runs first.
  const hasFailed = tasks.some(({ error }) => error !== undefined);
  if (pending.length === 0 || hasFailed) {
    const output = await go(tasks.length > 0 ? null : input);
    pending = await pendingInterrupts(graph, config);
    if (pending.length === 0) return output;
  }
  for (;;) {
    const output = await go(new Command({ resume: await answerInterrupts(hp, pending, options) }));
    pending = await pendingInterrupts(graph, config);
    if (pending.length === 0) return output;
  }
}

/** Asks the questions of each interrupt without waiting. Asking again returns the same questions. */
export function askInterrupts(
  hp: Holdpoint,
  pending: readonly PendingInterrupt[],
  { thread }: Pick<InterruptOptions, 'thread'>,
): Promise<Interaction[][]> {
  const ask = ({ id, count, graphThreadId: run, ...rest }: PendingInterrupt) =>
    questionsOf(rest).questions.map((question, index) =>
      createOnce(hp, question, { thread, run, at: ['interrupt', id, count, index] }),
    );
  return Promise.all(pending.map((each) => Promise.all(ask(each))));
}

/** Asks, waits until all questions are closed, and returns the `resume` value for a Command. */
export async function answerInterrupts(
  hp: Holdpoint,
  pending: readonly PendingInterrupt[],
  { thread, signal, countDeadlineAsApproval }: InterruptOptions,
): Promise<Record<string, unknown>> {
  const waiting = defined({ signal });
  const reading = { countDeadlineAsApproval };
  const asked = await askInterrupts(hp, pending, { thread });
  const closed = await Promise.all(
    asked.map((questions) => Promise.all(questions.map((each) => hp.wait(each, waiting)))),
  );
  return Object.fromEntries(
    pending.map((each, index) => [each.id, questionsOf(each).resume(closed[index] ?? [], reading)]),
  );
}

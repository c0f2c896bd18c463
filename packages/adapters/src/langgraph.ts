/** For LangGraph.js: where a graph stops at an interrupt, people are asked, and it goes on with what they said. */
import type { Holdpoint } from '@holdpoint/client';
import type { Interaction, ReadingOptions, ValuesOf } from '@holdpoint/protocol';
import { Command, interrupt, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { heldOf } from './langgraph/held.ts';
import { type Graph, type PendingInterrupt, pendingInterrupts } from './langgraph/pending-interrupts.ts';
import { createOnce, type Place, type Question } from './shared/ask-once.ts';
import type { ToldOutcome } from './shared/tell-outcome.ts';

export { type PendingInterrupt, pendingInterrupts };

/** Asks within a node: `interrupt`, with the type of what comes of it. */
export const hold = <Q extends Question>(question: Q): ToldOutcome<ValuesOf<Q>> => interrupt(question);

export interface InterruptOptions extends ReadingOptions {
  /** Of Holdpoint: where the questions stand. */
  thread: Place['thread'];
  /** Ends the waiting. The questions stay, and who goes on later finds them. */
  signal?: AbortSignal;
}

export interface GraphOptions extends InterruptOptions {
  /** With the `thread_id` of the graph. */
  config: LangGraphRunnableConfig;
}

/** Runs a graph to its end, through all its interrupts. One that was cut short goes on where it stood, without the input. */
export async function runWithPeople<Input, Output>(
  hp: Holdpoint,
  graph: Graph<Input, Output>,
  input: NoInfer<Input>,
  { config, ...options }: GraphOptions,
): Promise<Output> {
  const go = (next: Input | Command | null) => graph.invoke(next as Input, config);
  let pending = await pendingInterrupts(graph, config);
  const { tasks } = await graph.getState(config);
  // A node that failed after it was resumed keeps its answer, and still shows the interrupt that was answered. It goes on first.
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

/** Asks without waiting: the questions of each interrupt. Asked again, they are the same. */
export function askInterrupts(
  hp: Holdpoint,
  pending: readonly PendingInterrupt[],
  { thread }: Pick<InterruptOptions, 'thread'>,
): Promise<Interaction[][]> {
  const ask = ({ id, count, graphThreadId: run, ...rest }: PendingInterrupt) =>
    heldOf(rest).questions.map((question, index) =>
      createOnce(hp, question, { thread, run, at: ['interrupt', id, count, index] }),
    );
  return Promise.all(pending.map((each) => Promise.all(ask(each))));
}

/** Asks, waits until all is closed, and gives what a Command resumes the graph with. */
export async function answerInterrupts(
  hp: Holdpoint,
  pending: readonly PendingInterrupt[],
  { thread, signal, countDeadlineAsApproval }: InterruptOptions,
): Promise<Record<string, unknown>> {
  const waiting = signal ? { signal } : {};
  const reading = { countDeadlineAsApproval };
  const asked = await askInterrupts(hp, pending, { thread });
  const closed = await Promise.all(
    asked.map((questions) => Promise.all(questions.map((each) => hp.wait(each, waiting)))),
  );
  return Object.fromEntries(pending.map((each, index) => [each.id, heldOf(each).resume(closed[index] ?? [], reading)]));
}

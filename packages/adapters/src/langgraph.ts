/** For LangGraph.js: when a graph stops at an interrupt, people are asked, and it resumes with their answers. */
import type { Holdpoint } from '@holdpoint/client';
import { defined, type Interaction, type ValuesOf } from '@holdpoint/protocol';
import {
  type BaseCheckpointSaver,
  Command,
  type Interrupt,
  interrupt,
  type LangGraphRunnableConfig,
  type StateSnapshot,
} from '@langchain/langgraph';
import { questionsOf } from './langgraph/interrupt-questions.ts';
import { createOnce, type Question, type WaitOptions } from './shared/ask-once.ts';
import type { OutcomeSummary } from './shared/outcomes.ts';

export type { WaitOptions as InterruptOptions };

/** Asks a question within a node: `interrupt` with the type of its outcome. */
export const hold = <Q extends Question>(question: Q): OutcomeSummary<ValuesOf<Q>> => interrupt(question);

export interface GraphOptions extends WaitOptions {
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
  const resume = async () => new Command({ resume: await answerInterrupts(hp, pending, options) });
  let pending = await pendingInterrupts(graph, config);
  const { tasks } = await graph.getState(config);
  // A node that failed after it was resumed keeps its answer, but still shows the answered interrupt. It runs first.
  const hasFailed = tasks.some(({ error }) => error !== undefined);
  const start = tasks.length > 0 ? null : input;
  let next: Input | Command | null = pending.length > 0 && !hasFailed ? await resume() : start;
  for (;;) {
    const output = await graph.invoke(next as Input, config);
    pending = await pendingInterrupts(graph, config);
    if (pending.length === 0) return output;
    next = await resume();
  }
}

/** Asks the questions of each interrupt without waiting. Asking again returns the same questions. */
export function askInterrupts(
  hp: Holdpoint,
  pending: readonly PendingInterrupt[],
  { thread }: Pick<WaitOptions, 'thread'>,
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
  { thread, signal, countDeadlineAsApproval }: WaitOptions,
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

/** The part of a compiled graph that we use. */
interface Graph<Input = unknown, Output = unknown> {
  invoke(input: Input, config: LangGraphRunnableConfig): Promise<Output>;
  getState(config: LangGraphRunnableConfig, options?: { subgraphs?: boolean }): Promise<StateSnapshot>;
  checkpointer?: BaseCheckpointSaver | boolean | undefined;
}

export interface PendingInterrupt extends Interrupt {
  id: string;
  /** The number of answered interrupts of the same node. They all have the same id. */
  count: number;
  /** The graph's own `thread_id`. */
  graphThreadId: string;
}

/** The channels that an interrupted node writes. A node that wrote any other channel has ended. */
const interruptedChannels = new Set(['__interrupt__', '__resume__', '__error__', '__scheduled__']);

export async function pendingInterrupts(
  graph: Pick<Graph, 'getState' | 'checkpointer'>,
  config: LangGraphRunnableConfig,
): Promise<PendingInterrupt[]> {
  const { checkpointer } = graph;
  const graphThreadId = config.configurable?.thread_id;
  if (typeof checkpointer !== 'object' || typeof graphThreadId !== 'string')
    throw new Error('A graph that asks people needs a checkpointer, and a thread_id in its config.');
  const within = async (snapshot: StateSnapshot): Promise<PendingInterrupt[]> => {
    if (snapshot.tasks.length === 0) return [];
    const writes = (await checkpointer.getTuple(snapshot.config))?.pendingWrites ?? [];
    const found = snapshot.tasks.map((task): Promise<PendingInterrupt[]> | PendingInterrupt[] => {
      const own = writes.filter(([taskId]) => taskId === task.id);
      // A snapshot still shows the interrupt of a node that has ended, until all nodes of the step have ended.
      if (own.some(([, channel]) => !interruptedChannels.has(channel))) return [];
      if (task.state && 'tasks' in task.state) return within(task.state);
      const count = own.filter(([, channel]) => channel === '__resume__').flatMap(([, , value]) => value).length;
      return task.interrupts.flatMap((each) =>
        each.id === undefined ? [] : [{ ...each, id: each.id, count, graphThreadId }],
      );
    });
    return (await Promise.all(found)).flat();
  };

  return within(await graph.getState(config, { subgraphs: true }));
}

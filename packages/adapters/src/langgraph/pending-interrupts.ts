/** Reads from a graph's checkpoint which interrupts are pending. */
import type {
  BaseCheckpointSaver,
  CheckpointTuple,
  Interrupt,
  LangGraphRunnableConfig,
  StateSnapshot,
} from '@langchain/langgraph';

/** The part of a compiled graph that we use. */
export interface Graph<Input = unknown, Output = unknown> {
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
  const writesOf = async (snapshot: StateSnapshot): Promise<NonNullable<CheckpointTuple['pendingWrites']>> =>
    (await checkpointer.getTuple(snapshot.config))?.pendingWrites ?? [];

  async function within(snapshot: StateSnapshot): Promise<PendingInterrupt[]> {
    if (snapshot.tasks.length === 0) return [];
    const writes = await writesOf(snapshot);
    const found = snapshot.tasks.map((task): Promise<PendingInterrupt[]> | PendingInterrupt[] => {
      const own = writes.filter(([taskId]) => taskId === task.id);
      // A snapshot still shows the interrupt of a node that has ended, until all nodes of the step have ended.
      if (own.some(([, channel]) => !interruptedChannels.has(channel))) return [];
      if (isSnapshot(task.state)) return within(task.state);
      const count = own.filter(([, channel]) => channel === '__resume__').flatMap(([, , value]) => value).length;
      return task.interrupts.flatMap((each) =>
        each.id === undefined ? [] : [{ ...each, id: each.id, count, graphThreadId: graphThreadId as string }],
      );
    });
    return (await Promise.all(found)).flat();
  }

  return within(await graph.getState(config, { subgraphs: true }));
}

const isSnapshot = (state: LangGraphRunnableConfig | StateSnapshot | undefined): state is StateSnapshot =>
  state !== undefined && 'tasks' in state;

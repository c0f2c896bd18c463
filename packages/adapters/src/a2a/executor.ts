/** An A2A agent that asks people through Holdpoint. Its task is input-required until a person has answered. */
import type { Message, Part, Task, TaskStatus } from '@a2a-js/sdk';
import type {
  A2ARequestHandler,
  AgentExecutor,
  ExecutionEventBus,
  RequestContext,
  ServerCallContext,
} from '@a2a-js/sdk/server';
import type { Holdpoint } from '@holdpoint/client';
import { HoldpointError, type Interaction, type ReadingOptions } from '@holdpoint/protocol';
import type { Place } from '../shared/ask-once.ts';
import { type Answering, type AskInTurn, giveAnswer, ignoreSettled, takeTurn } from '../shared/turn.ts';
import { answerOf, type Ids, messageOf, problemParts, questionParts, sentAnswers, state } from './parts.ts';

export interface TaskWork {
  /** Ends the turn if nobody has answered yet. The task is then input-required, and the work starts again with the answer. */
  ask: AskInTurn;
  /** The first message of the task. */
  message: Message;
  taskId: string;
  contextId: string;
}

export interface ExecutorOptions extends ReadingOptions {
  /** The Holdpoint thread that gets the questions. */
  thread: Place['thread'] | ((context: RequestContext) => Place['thread'] | Promise<Place['thread']>);
  /** Does the task and returns the parts of its artifact. */
  work: (task: TaskWork) => Promise<Part[]>;
  /** Names the person who answers over A2A. Without it, A2A answers are rejected: the client is usually another agent. */
  answering?: (context: RequestContext) => Answering | undefined | Promise<Answering | undefined>;
  /** Called if a task could not continue by itself. The next message to the task makes it try again. */
  onError?: (error: unknown) => void;
}

export interface HoldpointExecutor extends AgentExecutor {
  /** Set this to your request handler, so that a task continues when a person has answered in Holdpoint. */
  handler: Pick<A2ARequestHandler, 'sendMessage'> | undefined;
  /** Call this after a restart with the stored tasks. Open tasks continue, or wait for their answer again. */
  resume(tasks: readonly Task[], context: ServerCallContext): Promise<void>;
}

export function holdpointExecutor(hp: Holdpoint, options: ExecutorOptions): HoldpointExecutor {
  const { thread, work, answering, countDeadlineAsApproval, onError = () => {} } = options;
  /** The end of each task's latest turn. The turns of a task run one after the other. */
  const turns = new Map<string, Promise<void>>();
  const watches = new Map<string, AbortController>();

  async function takeTurnOf(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, task, userMessage } = context;
    watches.get(taskId)?.abort();
    const ids = { taskId, contextId };
    const history = task?.history ?? [userMessage];
    const begun = { id: taskId, contextId, artifacts: task?.artifacts ?? [], history, metadata: task?.metadata };
    bus.publish({ kind: 'task', data: { ...begun, status: statusOf(state.working) } });

    const where = typeof thread === 'function' ? await thread(context) : thread;
    const place = { thread: where, run: taskId, countDeadlineAsApproval };
    const turn = () =>
      takeTurn(hp, place, (ask) => work({ ask, message: history[0] ?? userMessage, taskId, contextId }));
    let after = await turn();
    let rejected: Part[] = [];
    if ('open' in after && task) {
      const taken = await takeAnswers(after.open, userMessage, await answering?.(context));
      rejected = taken.rejected;
      if (taken.count > 0) after = await turn();
    }
    if ('open' in after) {
      publishStatus(bus, ids, state.inputRequired, [...rejected, ...after.open.flatMap(questionParts)]);
      void watch(after.open, ids, context.context);
      return;
    }
    const metadata = undefined;
    const words = { artifactId: 'result', name: '', description: '' };
    const artifact = { ...words, parts: after.result, metadata, extensions: [] };
    bus.publish({ kind: 'artifactUpdate', data: { ...ids, artifact, append: false, lastChunk: true, metadata } });
    publishStatus(bus, ids, state.completed);
  }

  /** Waits until one of the questions is closed. A turn in the meantime ends this watch and starts its own. */
  async function watch(open: readonly Interaction[], ids: Ids, context: ServerCallContext): Promise<void> {
    const stop = new AbortController();
    watches.set(ids.taskId, stop);
    try {
      await Promise.race(open.map((each) => hp.wait(each, { signal: stop.signal })));
    } catch (error) {
      if (!stop.signal.aborted) onError(error);
      return;
    } finally {
      stop.abort();
      if (watches.get(ids.taskId) === stop) watches.delete(ids.taskId);
    }
    await nextTurn(ids, context).catch(onError);
  }

  /** A message without parts is no answer. It only makes the task take its next turn. */
  const nextTurn = async (ids: Ids, context: ServerCallContext): Promise<void> => {
    const request = { tenant: '', message: messageOf('user', ids, []), configuration: undefined, metadata: undefined };
    await executor.handler?.sendMessage(request, context);
  };

  const executor: HoldpointExecutor = {
    handler: undefined,
    execute(context, bus) {
      const { taskId, contextId } = context;
      const before = turns.get(taskId);
      const turn = (before ?? Promise.resolve()).then(() => takeTurnOf(context, bus));
      const ended = turn.catch(() => {});
      turns.set(taskId, ended);
      ended.then(() => {
        if (turns.get(taskId) === ended) turns.delete(taskId);
        // The sender of this message saw the end of the previous turn and stopped listening. Only a new message delivers more.
        if (before) void nextTurn({ taskId, contextId }, context.context).catch(() => {});
      });
      return turn;
    },
    async cancelTask(taskId, bus) {
      watches.get(taskId)?.abort();
      for await (const { id } of hp.every('listInteractions', { runId: taskId, status: 'pending' }))
        await hp.cancel(id, 'The task was cancelled.').catch(ignoreSettled);
      publishStatus(bus, { taskId, contextId: '' }, state.canceled);
    },
    async resume(tasks, context) {
      const open = tasks.filter(({ status }) => openStates.includes(status?.state ?? 0));
      await Promise.all(open.map(({ id, contextId }) => nextTurn({ taskId: id, contextId }, context)));
    },
  };
  return executor;
}

const openStates: readonly number[] = [state.submitted, state.working, state.inputRequired];

const statusOf = (status: number, message?: Message): TaskStatus => ({
  state: status,
  message,
  timestamp: new Date().toISOString(),
});

function publishStatus(bus: ExecutionEventBus, ids: Ids, status: number, parts?: Part[]): void {
  const message = parts && messageOf('agent', ids, parts);
  bus.publish({ kind: 'statusUpdate', data: { ...ids, status: statusOf(status, message), metadata: undefined } });
}

/** Gives Holdpoint the answers in a client's message. Returns how many it took, and what to say about the others. */
async function takeAnswers(
  open: readonly Interaction[],
  message: Message,
  answering: Answering | undefined,
): Promise<{ count: number; rejected: Part[] }> {
  const taken = { count: 0, rejected: [] as Part[] };
  const sent = sentAnswers(message);
  if (!answering) {
    if (sent.length > 0) taken.rejected.push(...problemParts('Answers are not accepted here, only in Holdpoint.'));
    return taken;
  }
  for (const { interactionId, answer } of sent) {
    // Only questions of this task: a client must not answer another task's question by its id.
    const interaction = open.find(({ id }) => id === (interactionId ?? (open.length === 1 ? id : undefined)));
    if (!interaction) {
      const why =
        interactionId === undefined ? 'Name the question that it answers.' : 'There is no open question with this id.';
      taken.rejected.push(...problemParts(`An answer was not accepted. ${why}`));
      continue;
    }
    try {
      await giveAnswer(answering, interaction, 'decline' in answer ? answer : answerOf(interaction, answer));
      taken.count += 1;
    } catch (error) {
      if (!(error instanceof HoldpointError)) throw error;
      taken.rejected.push(...problemParts(error.fault.detail, error.fault.problems));
    }
  }
  return taken;
}

/** An agent that speaks A2A and asks by Holdpoint: its task is input-required until somebody has answered, wherever they did. */
import type { Message, Part, Task, TaskStatus } from '@a2a-js/sdk';
import type {
  A2ARequestHandler,
  AgentExecutor,
  ExecutionEventBus,
  RequestContext,
  ServerCallContext,
} from '@a2a-js/sdk/server';
import type { Holdpoint } from '@holdpoint/client';
import type { Interaction, ReadingOptions } from '@holdpoint/protocol';
import { type Answering, isSettled } from '../shared/answering.ts';
import type { Place } from '../shared/ask-once.ts';
import { type AskInTurn, takeTurn } from '../shared/turn.ts';
import { messageOf, problemParts, questionParts, state } from './parts.ts';
import { takeAnswers } from './take-answers.ts';

export interface TaskWork {
  /** Waits over turns: the task is input-required meanwhile, and the work begins again once somebody has answered. */
  ask: AskInTurn;
  /** What the task was begun with. */
  message: Message;
  taskId: string;
  contextId: string;
}

export interface ExecutorOptions extends ReadingOptions {
  /** Of Holdpoint: where the questions stand. */
  thread: Place['thread'] | ((context: RequestContext) => Place['thread'] | Promise<Place['thread']>);
  /** Does the task, and gives the parts of its artifact. */
  work: (task: TaskWork) => Promise<Part[]>;
  /** Who answers by A2A, for those who may. Without it nobody does: the other end is an agent more often than a person. */
  answering?: (context: RequestContext) => Answering | undefined | Promise<Answering | undefined>;
  /** Told why a task could not go on by itself; the next message to it makes it try again. */
  onError?: (error: unknown) => void;
}

export interface HoldpointExecutor extends AgentExecutor {
  /** By which tasks go on when somebody has answered elsewhere. */
  handler: Pick<A2ARequestHandler, 'sendMessage'> | undefined;
  /** After a restart: these tasks, if they are not over, go on or wait again. */
  resume(tasks: readonly Task[], context: ServerCallContext): Promise<void>;
}

export function holdpointExecutor(hp: Holdpoint, options: ExecutorOptions): HoldpointExecutor {
  const { thread, work, answering, countDeadlineAsApproval, onError = () => {} } = options;
  /** The end of a task's latest turn: its turns come one after the other. */
  const turns = new Map<string, Promise<void>>();
  const watches = new Map<string, AbortController>();

  async function takeTurnOf(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, task, userMessage } = context;
    watches.get(taskId)?.abort();
    const ids = { taskId, contextId };
    const tell = (status: number, parts?: Part[]) =>
      bus.publish({
        kind: 'statusUpdate',
        data: { ...ids, status: statusOf(status, parts && messageOf('agent', ids, parts)), metadata: undefined },
      });
    const history = task?.history ?? [userMessage];
    const begun = { id: taskId, contextId, artifacts: task?.artifacts ?? [], history, metadata: task?.metadata };
    bus.publish({ kind: 'task', data: { ...begun, status: statusOf(state.working) } });

    const where = typeof thread === 'function' ? await thread(context) : thread;
    const place = { thread: where, run: taskId, countDeadlineAsApproval };
    const turn = () =>
      takeTurn(hp, place, (ask) => work({ ask, message: history[0] ?? userMessage, taskId, contextId }));
    let after = await turn();
    let refused: Part[] = [];
    if ('open' in after && task) {
      const taken = await takeAnswers(after.open, userMessage, await answering?.(context));
      refused = taken.refusals.flatMap(({ sentence, problems }) => problemParts(sentence, problems));
      if (taken.count > 0) after = await turn();
    }
    if ('open' in after) {
      tell(state.inputRequired, [...refused, ...after.open.flatMap(questionParts)]);
      void watch(after.open, ids, context.context);
      return;
    }
    const artifact = { artifactId: 'result', name: '', description: '', parts: after.result };
    bus.publish({
      kind: 'artifactUpdate',
      data: {
        ...ids,
        artifact: { ...artifact, metadata: undefined, extensions: [] },
        append: false,
        lastChunk: true,
        metadata: undefined,
      },
    });
    tell(state.completed);
  }

  /** Until one of them is closed. A turn that comes in between looks for itself, and watches anew. */
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
    await goOn(ids, context).catch(onError);
  }

  /** A message without parts says nothing, and makes the task take its next turn. */
  const goOn = async (ids: Ids, context: ServerCallContext): Promise<void> => {
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
        // Who sent this message has heard the end of the turn before, and stopped listening: the SDK keeps what is heard.
        if (before) void goOn({ taskId, contextId }, context.context).catch(() => {});
      });
      return turn;
    },
    async cancelTask(taskId, bus) {
      watches.get(taskId)?.abort();
      for await (const { id } of hp.every('listInteractions', { runId: taskId, status: 'pending' }))
        await hp.cancel(id, 'The task was cancelled.').catch((error: unknown) => {
          if (!isSettled(error)) throw error;
        });
      const data = { taskId, contextId: '', status: statusOf(state.canceled), metadata: undefined };
      bus.publish({ kind: 'statusUpdate', data });
    },
    async resume(tasks, context) {
      const open = tasks.filter(({ status }) => openStates.includes(status?.state ?? 0));
      await Promise.all(open.map(({ id, contextId }) => goOn({ taskId: id, contextId }, context)));
    },
  };
  return executor;
}

const openStates: readonly number[] = [state.submitted, state.working, state.inputRequired];

type Ids = Pick<Message, 'taskId' | 'contextId'>;

const statusOf = (of: number, message?: Message): TaskStatus => ({
  state: of,
  message,
  timestamp: new Date().toISOString(),
});

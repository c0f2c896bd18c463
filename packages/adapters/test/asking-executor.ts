/** An A2A agent that knows nothing of Holdpoint: it asks in its first turn, and returns the answer in its second. */
import { type Message, type Part, type Task, TaskState } from '@a2a-js/sdk';
import { AgentEvent, type AgentExecutor } from '@a2a-js/sdk/server';
import { messageOf } from '../src/a2a/parts.ts';

export const askingExecutor = (ask: Part[], tell: (message: Message) => Part[]): AgentExecutor => ({
  async execute({ taskId, contextId, task, userMessage }, bus) {
    const ids = { taskId, contextId };
    const state = task ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_INPUT_REQUIRED;
    const message = messageOf('agent', ids, task ? tell(userMessage) : ask);
    const status = { state, message, timestamp: undefined };
    const history = task?.history ?? [userMessage];
    const now: Task = { id: taskId, contextId, status, artifacts: [], history, metadata: undefined };
    bus.publish(AgentEvent.task({ ...now, status: { ...status, state: TaskState.TASK_STATE_WORKING } }));
    bus.publish(AgentEvent.statusUpdate({ ...ids, status, metadata: undefined }));
  },
  async cancelTask() {},
});

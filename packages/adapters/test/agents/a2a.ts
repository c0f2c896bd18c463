/** An A2A agent whose task store outlives the process, and a client that waits for its task. */
import { setTimeout } from 'node:timers/promises';
import { type Task, TaskState } from '@a2a-js/sdk';
import { approval } from '@holdpoint/protocol';
import { messageOf } from '../../src/a2a/parts.ts';
import { dataPart, holdpointExecutor, textPart } from '../../src/a2a.ts';
import { callContext, startA2A } from '../a2a-server.ts';
import { deadlineOf, hp, questions, stateFolder, tell, thread } from './environment.ts';
import { FileTaskStore } from './file-task-store.ts';

const executor = holdpointExecutor(hp, {
  thread,
  async work({ ask }) {
    const outcomes = questions.map(async ({ title, ...rest }) => {
      const question = approval({ title, arguments: { title }, ...deadlineOf(rest) });
      return [title, await ask(title, question)];
    });
    return [dataPart(Object.fromEntries(await Promise.all(outcomes)))];
  },
});
const store = new FileTaskStore(stateFolder);
const before = await store.open();
await using server = await startA2A(executor, store);
const { handler, client } = server;
executor.handler = handler;

async function begin(): Promise<string> {
  const message = messageOf('user', { taskId: '', contextId: '' }, [textPart('Release it.')]);
  const begun = await client.sendMessage({ tenant: '', message, configuration: undefined, metadata: undefined });
  return (begun as Task).id;
}

if (before) await executor.resume([before], callContext());
const id = before?.id ?? (await begin());
for (;;) {
  const { status, artifacts } = await client.getTask({ tenant: '', id });
  if (status?.state === TaskState.TASK_STATE_COMPLETED) {
    const content = artifacts[0]?.parts[0]?.content;
    tell(content?.$case === 'data' ? content.value : {});
    break;
  }
  if (status?.state !== TaskState.TASK_STATE_INPUT_REQUIRED && status?.state !== TaskState.TASK_STATE_WORKING)
    throw new Error(`The task ended with ${JSON.stringify(status)}.`);
  await setTimeout(50);
}

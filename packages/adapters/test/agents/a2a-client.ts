/** A client of another A2A agent, whose person is asked what the task of that agent asks. */
import { approval } from '@holdpoint/protocol';
import { dataPart, followTask, sendWithPeople, textPart } from '../../src/a2a.ts';
import { startA2A } from '../a2a-server.ts';
import { askingExecutor } from '../asking-executor.ts';
import { hp, questions, stateFolder, tell, thread } from './environment.ts';
import { FileTaskStore } from './file-task-store.ts';

const asked = questions.map(({ title, deadlineMs }) => {
  const expiresAt = deadlineMs === undefined ? {} : { expiresAt: new Date(Date.now() + deadlineMs).toISOString() };
  return dataPart({ ...approval({ title, arguments: { title } }), ...expiresAt }, { interactionId: title });
});
const store = new FileTaskStore(stateFolder);
const before = await store.open();
await using server = await startA2A(
  askingExecutor(asked, ({ parts }) => {
    const outcomes = parts.map(({ content, metadata }) => {
      const values = content?.$case === 'data' ? content.value : undefined;
      return [
        metadata?.interactionId,
        metadata?.decline ? { status: metadata.status } : { status: 'answered', values },
      ];
    });
    return [dataPart(Object.fromEntries(outcomes))];
  }),
  store,
);
const { client } = server;
const end = before
  ? await followTask(hp, client, await client.getTask({ tenant: '', id: before.id }), { thread })
  : await sendWithPeople(hp, client, [textPart('Release it.')], { thread });
const content = 'status' in end ? end.status?.message?.parts[0]?.content : undefined;
tell(content?.$case === 'data' ? content.value : {});

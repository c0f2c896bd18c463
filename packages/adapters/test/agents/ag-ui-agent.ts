/** An AG-UI agent that asks by Holdpoint, and a client of it that hears of answers given elsewhere. */
import { join } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { approval } from '@holdpoint/protocol';
import { agentEvents } from '../../src/ag-ui.ts';
import { startAgUi } from '../ag-ui-server.ts';
import { deadlineOf, hp, questions, stateFolder, tell, thread } from './environment.ts';
import { fileKeep } from './file-keep.ts';

await using server = await startAgUi((input) =>
  agentEvents(hp, input, { thread }, async ({ ask }) => {
    const outcomes = questions.map(async ({ title, ...rest }) => {
      const question = approval({ title, arguments: { title }, ...deadlineOf(rest) });
      return [title, await ask(title, question)];
    });
    return Object.fromEntries(await Promise.all(outcomes));
  }),
);

const keep = fileKeep(join(stateFolder, 'thread'));
const before = await keep.load();
const agent = new HttpAgent({ url: server.url, ...(before === undefined ? {} : { threadId: before }) });
await keep.save(agent.threadId);
let { result } = await agent.runAgent();
while (agent.pendingInterrupts.length > 0) {
  const ids = agent.pendingInterrupts.map(({ id }) => id);
  await Promise.all(ids.map((id) => hp.wait(id)));
  // What was answered elsewhere stays so: this only makes the agent look.
  const resume = ids.map((interruptId) => ({ interruptId, status: 'cancelled' as const }));
  ({ result } = await agent.runAgent({ resume }));
}
tell(result);

/** The model wants to pay back 80 €, the agent is killed, the person makes it 40, and the tool runs with that. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { runStory } from '../run-story.ts';
import { startModel } from '../scripted-model.ts';
import { print } from '../start-server.ts';

await runStory(import.meta.dirname, async ({ run, asked, answer, decline, folder, afterwards, hp }) => {
  const model = await startModel('refund', { order: 'A-17', amount: 80 });
  afterwards(() => model[Symbol.asyncDispose]());
  const environment = () => {
    const JOB = randomUUID();
    return { MODEL_URL: model.url, MODEL: 'scripted', JOB, STATE_FILE: join(folder, JOB) };
  };

  const env = environment();
  const killed = run(['node', 'agent.ts'], { env });
  const { arguments: proposed, threadId } = await asked('Pay this back?');
  deepEqual(proposed, { order: 'A-17', amount: 80 });
  await killed.kill();
  print('story', 'the agent was killed, and is started again');
  const agent = run(['node', 'agent.ts'], { env });
  await answer('Pay this back?', { decision: 'allow', amount: 40 });
  equal(await agent.output(), 'Paid back 40 € for order A-17.');
  equal((await hp.listInteractions({ threadId })).data.length, 1, 'It was asked once.');

  const refused = run(['node', 'agent.ts'], { env: environment() });
  await decline('Pay this back?', 'it was dropped by the customer');
  match(await refused.output(), /it was dropped by the customer/);
});

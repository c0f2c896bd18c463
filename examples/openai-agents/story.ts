/** The agent is killed while the person decides, and continues from its stored run. Another call is declined with a reason. */
import { equal, match } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { runStory } from '../run-story.ts';
import { startModel } from '../scripted-model.ts';
import { print } from '../start-server.ts';

await runStory(import.meta.dirname, async ({ run, asked, answer, decline, folder, afterwards, hp }) => {
  const model = await startModel('restart', { server: 'web-2' });
  afterwards(() => model[Symbol.asyncDispose]());
  const environment = () => {
    const JOB = randomUUID();
    const openai = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none', OPENAI_AGENTS_DISABLE_TRACING: '1' };
    return { ...openai, JOB, STATE_FILE: join(folder, JOB) };
  };

  const env = environment();
  const killed = run(['node', 'agent.ts'], { env });
  const { threadId } = await asked('Restart web-2?');
  await killed.kill();
  print('story', 'the agent was killed');
  await answer('Restart web-2?', { decision: 'allow' });
  equal(await run(['node', 'agent.ts'], { env }).output(), 'web-2 is up again.');
  equal((await hp.listInteractions({ threadId })).data.length, 1, 'It was asked once.');

  const refused = run(['node', 'agent.ts'], { env: environment() });
  await decline('Restart web-2?', 'people are shopping');
  match(await refused.output(), /people are shopping/);
});

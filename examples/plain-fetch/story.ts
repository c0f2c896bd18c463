/** Once the person allows it with another argument, after a slip of the finger; once they do not. */
import { equal, rejects } from 'node:assert/strict';
import { runStory } from '../run-story.ts';
import { print } from '../start-server.ts';

await runStory(import.meta.dirname, async ({ run, asked, answer, decline, hp }) => {
  const allowed = run(['node', 'agent.mjs']);
  const question = await asked('Roll out 4.2?');
  const slip = hp.answer(question, { decision: 'allow', percent: 250 });
  await rejects(slip, (error: Error) => {
    print('server', `refuses 250: ${error.message}`);
    return true;
  });
  await answer('Roll out 4.2?', { decision: 'allow', percent: 25 });
  equal(await allowed.output(), 'rolling out 4.2 to 25 % of the traffic');

  const declined = run(['node', 'agent.mjs']);
  await decline('Roll out 4.2?', 'not on a Friday');
  equal(await declined.output(), 'not rolling out: not on a Friday');
});

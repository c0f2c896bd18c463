/** The script asks, a person chooses, the script goes on with what they chose; or they decline. */
import { match } from 'node:assert/strict';
import { runStory } from '../run-story.ts';

await runStory(import.meta.dirname, async ({ run, answer, decline }) => {
  const chosen = run(['./ask.sh'], { name: 'script' });
  await answer('Deploy 4.2 where?', { choice: 'staging' });
  match(await chosen.output(), /^deploying to staging$/m);

  const declined = run(['./ask.sh'], { name: 'script' });
  await decline('Deploy 4.2 where?', 'the tests are red');
  match(await declined.output(), /^not deploying$/m);
});

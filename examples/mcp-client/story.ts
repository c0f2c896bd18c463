/** The agent calls ask_human; what it asked is answered in the inbox like everything else, or declined. */
import { equal } from 'node:assert/strict';
import { runStory } from '../run-story.ts';

await runStory(import.meta.dirname, async ({ run, answer, decline }) => {
  const agent = run(['node', 'agent.ts']);
  await answer('Which hotel?', { choice: 'Seaside' });
  equal(await agent.output(), 'booking the Seaside');

  const another = run(['node', 'agent.ts']);
  await decline('Which hotel?', 'I stay with a friend');
  equal(await another.output(), 'not booking: I stay with a friend');
});

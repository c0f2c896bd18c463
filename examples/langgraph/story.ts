/** The editor wants a change first, sees the new draft, and lets it out. */
import { equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { runStory } from '../run-story.ts';

await runStory(import.meta.dirname, async ({ run, asked, answer }) => {
  const graph = run(['node', 'graph.ts'], { name: 'graph', env: { JOB: randomUUID() } });
  equal((await asked('Publish this?')).body, 'A post about bread.');
  await answer('Publish this?', { verdict: 'change', wish: 'with a recipe' });
  equal((await asked('Publish this?')).body, 'A post about bread, with a recipe.');
  await answer('Publish this?', { verdict: 'publish' });
  equal(await graph.output(), 'published: A post about bread, with a recipe.');
});

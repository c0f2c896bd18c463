/** Denied, the script keeps the files; allowed, it deletes them. No model is anywhere. */
import { deepEqual, equal } from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runStory } from '../run-story.ts';

await runStory(import.meta.dirname, async ({ run, asked, answer, folder }) => {
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  for (const name of ['monday.bak', 'tuesday.bak', 'notes.txt']) writeFileSync(join(backups, name), '');
  const title = `Delete the backups in ${backups}?`;

  const denied = run(['./clean-up.sh', backups], { name: 'script' });
  deepEqual((await asked(title)).arguments, { folder: backups, files: 2 });
  await answer(title, { decision: 'deny' });
  equal(await denied.output(), 'kept: a person said no');
  equal(readdirSync(backups).length, 3);

  const allowed = run(['./clean-up.sh', backups], { name: 'script' });
  await answer(title, { decision: 'allow' });
  equal(await allowed.output(), 'deleted');
  deepEqual(readdirSync(backups), ['notes.txt']);
});

/** The worker dies twice between question and answer; the agent asks nothing twice, and books once. */
import { equal, match } from 'node:assert/strict';
import { runStory } from '../run-story.ts';
import { print } from '../start-server.ts';

await runStory(import.meta.dirname, async ({ run, asked, answer, hp }) => {
  const start = () => run(['node', 'worker.ts'], { name: 'worker' });
  const thread = await hp.createThread({ title: 'A trip', agent: 'travel' });
  await hp.postMessage({ threadId: thread.id, role: 'user', text: 'I need a break.' });

  const first = start();
  await asked('Where to, and when?');
  await first.kill();
  print('story', 'the worker was killed');
  await answer('Where to, and when?', { to: 'Lisbon', on: '2026-12-01' });

  const second = start();
  await asked('Book this flight?');
  await second.kill();
  print('story', 'the worker was killed');

  const third = start();
  await answer('Book this flight?', { decision: 'allow' });
  await third.printed(/^booking Lisbon on 2026-12-01/m);
  await hp.waitForTurn({ threadId: thread.id, timeoutMs: 60_000 });
  const { data: messages } = await hp.listMessages({ threadId: thread.id, order: 'newest' });
  match(JSON.stringify(messages[0]?.blocks), /Booked: Lisbon on 2026-12-01/);
  const { data: questions } = await hp.listInteractions({ threadId: thread.id });
  equal(questions.length, 2, 'Nothing was asked twice.');
});

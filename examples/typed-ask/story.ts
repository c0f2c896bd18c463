/** The agent asks and is killed; started again it finds its own question. Another one is cancelled. */
import { equal } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { runStory } from '../run-story.ts';
import { print } from '../start-server.ts';

await runStory(import.meta.dirname, async ({ run, asked, answer, hp }) => {
  const env = { TRIP: randomUUID() };
  const killed = run(['node', 'agent.ts'], { env });
  const question = await asked('How would you like to fly?');
  await killed.kill();
  print('story', 'the agent was killed, and is started again');

  const agent = run(['node', 'agent.ts'], { env });
  await answer('How would you like to fly?', { seat: 'window', bags: 1 });
  equal(await agent.output(), 'booked: window seat, bags: 1, any meal');
  const { data } = await hp.listInteractions({ threadId: question.threadId });
  equal(data.length, 1, 'It was asked once.');

  const another = run(['node', 'agent.ts'], { env: { TRIP: randomUUID() } });
  await hp.cancel(await asked('How would you like to fly?'));
  equal(await another.output(), 'not booked: the question was cancelled');
});

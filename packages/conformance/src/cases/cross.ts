/** Asks in each dialect, answers in each, and reads the answer in all of them, later and in a wait. */
import { type Case, expectLike } from '../case.ts';
import { type Speaker, type Subject, speakers } from '../speakers.ts';
import type { World } from '../world.ts';

const subjects: Record<Subject, string> = { choice: 'yes', text: 'Tomorrow at noon.' };

async function askAndAnswer(world: World, requester: Speaker, answerer: Speaker, subject: Subject): Promise<void> {
  const given = subjects[subject];
  const asked = await requester.ask(world, await world.newThread(), subject);
  const waiting = world.get(`/v1/interactions/${asked.id}/wait?timeoutMs=20000`);
  expectLike(await answerer.heard(world, asked), undefined, `the answer in ${answerer.name} before`);
  await answerer.answer(world, asked, given);
  const { body } = await waiting;
  expectLike(body, { id: asked.id, status: 'answered', answer: { decision: 'accepted' } }, 'the result of the wait');
  for (const speaker of speakers) expectLike(await speaker.heard(world, asked), given, `the answer in ${speaker.name}`);
}

export const cross: Case[] = speakers.flatMap((requester) =>
  speakers.map((answerer) => ({
    suite: 'cross',
    name: `asked in ${requester.name}, answered in ${answerer.name}`,
    async run(world) {
      for (const subject of Object.keys(subjects) as Subject[]) await askAndAnswer(world, requester, answerer, subject);
    },
  })),
);

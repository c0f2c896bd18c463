/** Asked in each dialect, answered in each, and seen in all of them, one after the other and by who waits. */
import { type Case, expectLike } from '../case.ts';
import {
  agentServiceSpeaker,
  chatRequestsSpeaker,
  inputRequestsSpeaker,
  mcpSpeaker,
  nativeSpeaker,
  type Speaker,
  type Subject,
} from '../speakers.ts';
import type { World } from '../world.ts';

const speakers = [nativeSpeaker, chatRequestsSpeaker, inputRequestsSpeaker, mcpSpeaker, agentServiceSpeaker];
const subjects: Record<Subject, string> = { choice: 'yes', text: 'Tomorrow at noon.' };

async function askAndAnswer(world: World, asker: Speaker, answerer: Speaker, subject: Subject): Promise<void> {
  const given = subjects[subject];
  const asked = await asker.ask(world, await world.newThread(), subject);
  const waiting = world.get(`/v1/interactions/${asked.id}/wait?timeoutMs=20000`);
  expectLike(await answerer.heard(world, asked), undefined, `what ${answerer.name} heard before`);
  await answerer.answer(world, asked, given);
  const { body } = await waiting;
  expectLike(body, { id: asked.id, status: 'answered', answer: { decision: 'accepted' } }, 'what the waiter got');
  for (const speaker of speakers) expectLike(await speaker.heard(world, asked), given, `what ${speaker.name} heard`);
}

export const cross: Case[] = speakers.flatMap((asker) =>
  speakers.map((answerer) => ({
    suite: 'cross',
    name: `asked in ${asker.name}, answered in ${answerer.name}`,
    async run(world) {
      for (const subject of Object.keys(subjects) as Subject[]) await askAndAnswer(world, asker, answerer, subject);
    },
  })),
);

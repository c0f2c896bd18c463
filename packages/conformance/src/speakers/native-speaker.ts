import type { World } from '../world.ts';
import { type Asked, options, type Speaker, type Subject, title } from './speaker.ts';

const question = (subject: Subject) =>
  subject === 'text' ? { title } : { title, options: options.map(({ id, label }) => ({ value: id, label })) };

export const nativeSpeaker: Speaker = {
  name: 'native',
  async ask(world, threadId, subject) {
    const body = { responder: { type: 'any' }, ...question(subject) };
    const { id } = await world.made(`/v1/threads/${threadId}/interactions`, body);
    return { id, threadId };
  },
  async answer(world, { id }, given) {
    const { body: asked } = await world.get(`/v1/interactions/${id}`);
    const answer = asked.payloadSchema ? { payload: given } : { values: { [asked.fields[0].name]: given } };
    await world.made(`/v1/interactions/${id}/answers`, answer);
  },
  async heard(world: World, { id }: Asked) {
    const { body } = await world.get(`/v1/interactions/${id}`);
    return body.answer?.payload ?? Object.values(body.answer?.values ?? {})[0];
  },
};

import { options, type Speaker, title } from './speaker.ts';

export const chatRequestsSpeaker: Speaker = {
  name: 'chat-requests',
  async ask(world, threadId, subject) {
    const body =
      subject === 'text' ? { type: 'text_input', title, config: {} } : { type: 'choice', title, config: { options } };
    const { id } = await world.made(`/api/v1/chats/${threadId}/requests`, body);
    return { id, threadId };
  },
  async answer(world, { id }, given) {
    const { body: request } = await world.get(`/api/v1/requests/${id}`);
    await world.made(`/api/v1/requests/${id}/resolve`, payloadFor(request, given));
  },
  async heard(world, { id }) {
    const { body } = await world.get(`/api/v1/requests/${id}`);
    const { selectedOptionIds, text, values } = body.resolution_payload ?? {};
    return selectedOptionIds?.[0] ?? text ?? Object.values(values ?? {})[0];
  },
};

function payloadFor({ type, config }: { type: string; config: { fields?: { name: string }[] } }, given: string) {
  if (type === 'choice') return { selectedOptionIds: [given] };
  if (type === 'text_input') return { text: given };
  return { values: { [config.fields?.[0]?.name ?? '']: given } };
}

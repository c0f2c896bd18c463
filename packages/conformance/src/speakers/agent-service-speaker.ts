import { options, type Speaker, title } from './speaker.ts';

export const agentServiceSpeaker: Speaker = {
  name: 'agent-service',
  async ask(world, threadId, subject) {
    const { data } = await world.made('/spec/v1/interactions', {
      runId: crypto.randomUUID(),
      attemptId: '1',
      threadId,
      prompt: { title },
      origin: { type: 'agent' },
      ...(subject === 'text'
        ? { kind: 'input' }
        : { kind: 'choice', options: options.map((option) => ({ ...option, kind: 'answer' })) }),
    });
    return { id: data.interactionId, threadId };
  },
  async answer(world, { id }, given) {
    const { data } = (await world.get(`/spec/v1/interactions/${id}`)).body;
    await world.made(`/spec/v1/interactions/${id}/respond`, {
      decision: 'accepted',
      expectedVersion: data.version,
      ...response(data, given),
    });
  },
  async heard(world, { id }) {
    const { response: heard } = (await world.get(`/spec/v1/interactions/${id}`)).body.data;
    const { selectedOptionId, payload } = heard ?? {};
    return selectedOptionId ?? (typeof payload === 'object' && payload ? Object.values(payload)[0] : payload);
  },
};

interface Resource {
  options?: object[];
  payloadSchema?: { properties?: object };
}

function response({ options: shown, payloadSchema }: Resource, given: string) {
  if (shown) return { selectedOptionId: given };
  const [name] = Object.keys(payloadSchema?.properties ?? {});
  return { payload: name === undefined ? given : { [name]: given } };
}

import { type Asked, options, type Speaker, type Subject, title } from './speaker.ts';

/** What both the calls and the tools of this dialect are sent. */
export const inputRequest = (subject: Subject) => ({
  run_id: crypto.randomUUID(),
  tool_call_id: crypto.randomUUID(),
  requested_responder_type: 'human',
  title,
  fields: [
    subject === 'text'
      ? { name: 'reply', type: 'text', required: true }
      : {
          name: 'pick',
          type: 'select',
          required: true,
          options: options.map(({ id, label }) => ({ value: id, label })),
        },
  ],
});

interface InputRequest {
  fields: { name: string }[];
  latest_response: { values: Record<string, unknown> } | null;
}

export const valuesFor = ({ fields }: InputRequest, given: string) => ({ [fields[0]?.name ?? '']: given });
export const heardIn = ({ latest_response }: InputRequest): unknown => Object.values(latest_response?.values ?? {})[0];

const pathOf = ({ id, threadId }: Asked) => `/conversations/${threadId}/input-requests/${id}`;

export const inputRequestsSpeaker: Speaker = {
  name: 'input-requests',
  async ask(world, threadId, subject) {
    const { id } = await world.made(`/conversations/${threadId}/input-requests`, inputRequest(subject));
    return { id, threadId };
  },
  async answer(world, asked, given) {
    const { body } = await world.get(pathOf(asked));
    await world.made(`${pathOf(asked)}/responses`, { values: valuesFor(body, given) });
  },
  heard: async (world, asked) => heardIn((await world.get(pathOf(asked))).body),
};

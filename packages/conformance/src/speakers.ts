/** Asks, answers and reads the same question in each protocol. */

import { callTool } from './mcp-client.ts';
import type { World } from './world.ts';

interface Asked {
  /** Of the interaction, which is the same in every dialect. */
  id: string;
  threadId: string;
}

/** The content of an answer, independent of the protocol. */
export type Subject = 'choice' | 'text';

const title = 'Go on?';
const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

export interface Speaker {
  name: string;
  ask(world: World, threadId: string, subject: Subject): Promise<Asked>;
  /** Looks at the question in its own dialect, then picks the option, or writes the text. */
  answer(world: World, asked: Asked, given: string): Promise<void>;
  /** The answer in this dialect. Undefined while the question is open. */
  heard(world: World, asked: Asked): Promise<unknown>;
}

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

/** The input of the calls and of the tools of this dialect. */
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

const valuesFor = ({ fields }: InputRequest, given: string) => ({ [fields[0]?.name ?? '']: given });
const heardIn = ({ latest_response }: InputRequest): unknown => Object.values(latest_response?.values ?? {})[0];

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

export const mcpSpeaker: Speaker = {
  name: 'mcp',
  async ask(world, threadId, subject) {
    const input = { conversation_id: threadId, ...inputRequest(subject) };
    const { id } = await callTool(world, 'create_input_request', input);
    return { id, threadId };
  },
  async answer(world, { id, threadId }, given) {
    const place = { conversation_id: threadId, input_request_id: id };
    const values = valuesFor(await callTool(world, 'get_input_request', place), given);
    await callTool(world, 'submit_input_request_response', { ...place, values });
  },
  async heard(world, { id, threadId }) {
    return heardIn(await callTool(world, 'get_input_request', { conversation_id: threadId, input_request_id: id }));
  },
};

/** Asks, answers and reads the same question in each protocol. */

import { callTool } from './mcp-client.ts';
import type { World } from './world.ts';

interface Asked {
  /** The id of the interaction, which is the same in every dialect. */
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
const valueOptions = options.map(({ id, label }) => ({ value: id, label }));

export interface Speaker {
  name: string;
  ask(world: World, threadId: string, subject: Subject): Promise<Asked>;
  /** Reads the question in its own dialect, then picks the option, or writes the text. */
  answer(world: World, asked: Asked, given: string): Promise<void>;
  /** The answer in this dialect. Undefined while the question is pending. */
  heard(world: World, asked: Asked): Promise<unknown>;
}

/** The calls of a protocol over HTTP. */
interface Calls {
  name: string;
  ask(threadId: string, subject: Subject): [path: string, body: object];
  pathOf(asked: Asked): string;
  // biome-ignore lint/suspicious/noExplicitAny: the cases check what a server answers.
  answer(shown: any, given: string): [verb: string, body: object];
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  heard(shown: any): unknown;
}

const speaker = ({ name, ask, pathOf, answer, heard }: Calls): Speaker => {
  const load = async (world: World, asked: Asked) => (await world.get(pathOf(asked))).body;
  return {
    name,
    async ask(world, threadId, subject) {
      const made = await world.made(...ask(threadId, subject));
      return { id: made.id ?? made.data.interactionId, threadId };
    },
    async answer(world, asked, given) {
      const [verb, body] = answer(await load(world, asked), given);
      await world.made(`${pathOf(asked)}/${verb}`, body);
    },
    heard: async (world, asked) => heard(await load(world, asked)),
  };
};

const first = (values: object | null | undefined): unknown => Object.values(values ?? {})[0];

const native = speaker({
  name: 'native',
  ask: (threadId, subject) => [
    `/v1/threads/${threadId}/interactions`,
    { responder: { type: 'any' }, title, ...(subject === 'choice' && { options: valueOptions }) },
  ],
  pathOf: ({ id }) => `/v1/interactions/${id}`,
  answer: ({ payloadSchema, fields }, given) => [
    'answers',
    payloadSchema ? { payload: given } : { values: { [fields[0].name]: given } },
  ],
  heard: ({ answer }) => answer?.payload ?? first(answer?.values),
});

const chatRequests = speaker({
  name: 'chat-requests',
  ask: (threadId, subject) => [
    `/api/v1/chats/${threadId}/requests`,
    subject === 'text' ? { type: 'text_input', title, config: {} } : { type: 'choice', title, config: { options } },
  ],
  pathOf: ({ id }) => `/api/v1/requests/${id}`,
  answer({ type, config }, given) {
    const payloads: Record<string, object> = { choice: { selectedOptionIds: [given] }, text_input: { text: given } };
    return ['resolve', payloads[type] ?? { values: { [config.fields[0].name]: given } }];
  },
  heard({ resolution_payload }) {
    const { selectedOptionIds, text, values } = resolution_payload ?? {};
    return selectedOptionIds?.[0] ?? text ?? first(values);
  },
});

/** The input of the calls and of the tools of this dialect. */
export const inputRequest = (subject: Subject) => ({
  run_id: crypto.randomUUID(),
  tool_call_id: crypto.randomUUID(),
  requested_responder_type: 'human',
  title,
  fields: [
    subject === 'text'
      ? { name: 'reply', type: 'text', required: true }
      : { name: 'pick', type: 'select', required: true, options: valueOptions },
  ],
});

interface InputRequest {
  fields: { name: string }[];
  latest_response: { values: Record<string, unknown> } | null;
}

const valuesFor = ({ fields }: InputRequest, given: string) => ({ [fields[0]?.name ?? '']: given });
const heardIn = ({ latest_response }: InputRequest): unknown => first(latest_response?.values);

const inputRequests = speaker({
  name: 'input-requests',
  ask: (threadId, subject) => [`/conversations/${threadId}/input-requests`, inputRequest(subject)],
  pathOf: ({ id, threadId }) => `/conversations/${threadId}/input-requests/${id}`,
  answer: (request, given) => ['responses', { values: valuesFor(request, given) }],
  heard: heardIn,
});

const agentService = speaker({
  name: 'agent-service',
  ask: (threadId, subject) => [
    '/spec/v1/interactions',
    {
      runId: crypto.randomUUID(),
      attemptId: '1',
      threadId,
      prompt: { title },
      origin: { type: 'agent' },
      ...(subject === 'text'
        ? { kind: 'input' }
        : { kind: 'choice', options: options.map((option) => ({ ...option, kind: 'answer' })) }),
    },
  ],
  pathOf: ({ id }) => `/spec/v1/interactions/${id}`,
  answer({ data: { version, options: shown, payloadSchema } }, given) {
    const [name] = Object.keys(payloadSchema?.properties ?? {});
    const response = shown ? { selectedOptionId: given } : { payload: name === undefined ? given : { [name]: given } };
    return ['respond', { decision: 'accepted', expectedVersion: version, ...response }];
  },
  heard({ data: { response } }) {
    const { selectedOptionId, payload } = response ?? {};
    return selectedOptionId ?? (typeof payload === 'object' ? first(payload) : payload);
  },
});

const placeOf = ({ id, threadId }: Asked) => ({ conversation_id: threadId, input_request_id: id });

const mcp: Speaker = {
  name: 'mcp',
  async ask(world, threadId, subject) {
    const input = { conversation_id: threadId, ...inputRequest(subject) };
    const { id } = await callTool(world, 'create_input_request', input);
    return { id, threadId };
  },
  async answer(world, asked, given) {
    const values = valuesFor(await callTool(world, 'get_input_request', placeOf(asked)), given);
    await callTool(world, 'submit_input_request_response', { ...placeOf(asked), values });
  },
  heard: async (world, asked) => heardIn(await callTool(world, 'get_input_request', placeOf(asked))),
};

export const speakers: readonly Speaker[] = [native, chatRequests, inputRequests, mcp, agentService];

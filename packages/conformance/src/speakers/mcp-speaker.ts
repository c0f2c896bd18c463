import { callTool } from '../mcp-client.ts';
import { heardIn, inputRequest, valuesFor } from './input-requests-speaker.ts';
import type { Speaker } from './speaker.ts';

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

/** An agent that speaks MCP, by the official client: one tool asks a person, and waits. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { HOLDPOINT_URL = '', HOLDPOINT_AGENT_KEY = '' } = process.env;
const client = new Client({ name: 'trip-planner', version: '1.0.0' });
const requestInit = { headers: { authorization: `Bearer ${HOLDPOINT_AGENT_KEY}` } };
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', HOLDPOINT_URL), { requestInit }));

interface Outcome {
  status: 'pending' | 'answered' | 'declined' | 'expired' | 'cancelled';
  interaction_id: string;
  values?: Record<string, unknown>;
  reason?: string;
}

async function call(name: string, args: Record<string, unknown>): Promise<Outcome> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent as unknown as Outcome;
}

let outcome = await call('ask_human', {
  title: 'Which hotel?',
  body: 'Both have a room with a view.',
  options: ['Bellevue', 'Seaside'],
  wait_seconds: 20,
});
// No answer in time: the question stays open, so wait again.
while (outcome.status === 'pending') outcome = await call('wait_for_human', { interaction_id: outcome.interaction_id });

console.log(
  outcome.status === 'answered'
    ? `booking the ${outcome.values?.choice}`
    : `not booking: ${outcome.reason ?? outcome.status}`,
);
await client.close();

/** An agent that speaks MCP, by the official client: one tool asks a person, and waits. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const { HOLDPOINT_URL = '', HOLDPOINT_AGENT_KEY = '' } = process.env;
const client = new Client({ name: 'trip-planner', version: '1.0.0' });
const requestInit = { headers: { authorization: `Bearer ${HOLDPOINT_AGENT_KEY}` } };
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', HOLDPOINT_URL), { requestInit }));

interface Told {
  status: 'pending' | 'answered' | 'declined' | 'expired' | 'cancelled';
  interaction_id: string;
  values?: Record<string, unknown>;
  reason?: string;
}

async function call(name: string, args: Record<string, unknown>): Promise<Told> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent as unknown as Told;
}

let told = await call('ask_human', {
  title: 'Which hotel?',
  body: 'Both have a room with a view.',
  options: ['Bellevue', 'Seaside'],
  wait_seconds: 20,
});
// Nobody in time: the question stays, and is waited for again.
while (told.status === 'pending') told = await call('wait_for_human', { interaction_id: told.interaction_id });

console.log(
  told.status === 'answered' ? `booking the ${told.values?.choice}` : `not booking: ${told.reason ?? told.status}`,
);
await client.close();

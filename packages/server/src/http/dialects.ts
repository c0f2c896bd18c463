/** Every dialect this server speaks besides its own. */
import { agentService } from '../dialects/agent-service/routes.ts';
import { assistantTurns } from '../dialects/assistant/routes.ts';
import { blocks } from '../dialects/blocks/routes.ts';
import { chatRequests } from '../dialects/chat-requests/routes.ts';
import { inputRequests } from '../dialects/input-requests/routes.ts';
import type { Dialect } from './dialect.ts';
import { mcpFaults } from './mcp.ts';

export const dialects: readonly Dialect[] = [
  agentService,
  assistantTurns,
  blocks,
  chatRequests,
  inputRequests,
  mcpFaults,
];

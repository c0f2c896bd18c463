/** Every dialect that the server offers besides its own API. */
import { agentService } from './dialects/agent-service/routes.ts';
import { assistantTurns } from './dialects/assistant/routes.ts';
import { blocks } from './dialects/blocks/routes.ts';
import { chatRequests } from './dialects/chat-requests/routes.ts';
import { inputRequestsOf } from './dialects/input-requests/input-requests.ts';
import { inputRequests } from './dialects/input-requests/routes.ts';
import type { Dialect } from './routes/dialect.ts';

export const dialects: readonly Dialect[] = [agentService, assistantTurns, blocks, chatRequests, inputRequests];

/** The options of `buildApp` that come from dialects. `http/` imports none, so that each can be read alone. */
export const spoken = { dialects, inputRequestsOf };

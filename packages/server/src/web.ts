/** The HTTP server of an engine, with or without a listener. */
import { defined } from '@holdpoint/protocol';
import manifest from '../package.json' with { type: 'json' };
import { agentService } from './dialects/agent-service/routes.ts';
import { assistantTurns } from './dialects/assistant/routes.ts';
import { blocks } from './dialects/blocks/routes.ts';
import { chatRequests } from './dialects/chat-requests/routes.ts';
import { inputRequestsOf } from './dialects/input-requests/input-requests.ts';
import { inputRequests } from './dialects/input-requests/routes.ts';
import type { Engine } from './engine.ts';
import { authenticator } from './http/admission/admission.ts';
import { type AppOptions, buildApp } from './http/app.ts';
import { fetchServer } from './http/connections/fetch-server.ts';
import { consoleSessions } from './http/console/console-sessions.ts';
import { findSession } from './operations/people/sessions.ts';
import type { Dialect } from './routes/dialect.ts';
import { personTokens } from './signing/person-tokens.ts';
import { signInStates } from './signing/sign-in-states.ts';

type OwnOptions =
  | 'demo'
  | 'corsOrigins'
  | 'rateLimits'
  | 'bodyLimitBytes'
  | 'logLevel'
  | 'metricsTakeKey'
  | 'drainQuietMs';

export interface WebOptions extends Pick<AppOptions, OwnOptions> {
  adminKey?: string | undefined;
  publicUrl?: string | undefined;
}

export type Web = Awaited<ReturnType<typeof openWeb>>;

export async function openWeb(
  { context, hub, waits, tokens, streamTokens }: Engine,
  { adminKey, publicUrl, ...options }: WebOptions,
) {
  const { store, clock } = context;
  const configured = defined({ adminKey });
  const ofPeople = await personTokens(store, clock, async (named) => (await findSession(context, named))?.caller);
  const authenticate = authenticator({ store, tokens, personTokens: ofPeople, clock, ...configured });
  const app = await buildApp({
    ...options,
    ...spoken,
    ...{ context, hub, authenticate, streamTokens, version: manifest.version },
    publicUrl: () => context.publicUrl() ?? '',
    signInStates: await signInStates(store, { clock, isOnlyByHttps: publicUrl?.startsWith('https:') === true }),
    sessions: consoleSessions({ context, personTokens: ofPeople, ...defined({ publicUrl }) }),
    waiters: () => waits.size(),
  });
  return { app, ...fetchServer(app) };
}

export const dialects: readonly Dialect[] = [agentService, assistantTurns, blocks, chatRequests, inputRequests];

/** The options of `buildApp` that come from dialects. `http/` imports none, so that each can be read alone. */
const spoken = { dialects, inputRequestsOf };

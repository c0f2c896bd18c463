/** The HTTP server of an engine, with or without a listener. */
import { defined } from '@holdpoint/protocol';
import manifest from '../package.json' with { type: 'json' };
import { spoken } from './dialects.ts';
import type { Engine } from './engine.ts';
import { authenticator } from './http/admission/authenticate.ts';
import { type AppOptions, buildApp } from './http/app.ts';
import { fetchServer } from './http/connections/fetch-server.ts';
import { type ConsoleSessionsOptions, consoleSessions } from './http/console/console-sessions.ts';

type OwnOptions =
  | 'demo'
  | 'corsOrigins'
  | 'rateLimits'
  | 'bodyLimitBytes'
  | 'logLevel'
  | 'metricsTakeKey'
  | 'drainQuietMs';

export interface WebOptions extends Pick<AppOptions, OwnOptions>, Pick<ConsoleSessionsOptions, 'isForThisMachine'> {
  adminKey?: string | undefined;
  publicUrl?: string | undefined;
}

export type Web = Awaited<ReturnType<typeof openWeb>>;

export async function openWeb(
  { context, hub, waits, tokens, streamTokens }: Engine,
  { adminKey, publicUrl, isForThisMachine, ...options }: WebOptions,
) {
  const { store, clock } = context;
  const configured = defined({ adminKey });
  const authenticate = authenticator({ store, tokens, clock, ...configured });
  const app = await buildApp({
    ...options,
    ...spoken,
    ...{ context, hub, authenticate, streamTokens, version: manifest.version },
    publicUrl: () => context.publicUrl() ?? '',
    sessions: await consoleSessions({
      ...{ store, clock, authenticate, isForThisMachine, ...configured },
      ...defined({ publicUrl }),
    }),
    waiters: () => waits.size(),
  });
  return { app, ...fetchServer(app) };
}

/** What a server shows over HTTP, for the process that has the data: built with its first request, and without a port. */
import { defined } from '@holdpoint/protocol';
import manifest from '../../package.json' with { type: 'json' };
import { defaultLimits } from '../config.ts';
import { spoken } from '../dialects.ts';
import { drainMs, type Engine } from '../engine.ts';
import { authenticator } from '../http/admission/authenticate.ts';
import { buildApp } from '../http/app.ts';
import type { FetchHandler } from '../http/connections/fetch-handler.ts';
import { fetchServer } from '../http/connections/fetch-server.ts';
import { consoleSessions } from '../http/console/console-sessions.ts';

export interface WebOptions {
  publicUrl?: string | undefined;
  adminKey?: string | undefined;
  logLevel: string;
}

export interface Web {
  fetch: FetchHandler;
  close(): Promise<void>;
}

export async function openWeb(
  { context, hub, waits, tokens, streamTokens }: Engine,
  options: WebOptions,
): Promise<Web> {
  const { store, clock } = context;
  const { publicUrl, adminKey, logLevel } = options;
  const configured = adminKey === undefined ? {} : { adminKey };
  const authenticate = authenticator({ store, tokens, clock, ...configured });
  const app = await buildApp({
    ...spoken,
    ...{
      context,
      hub,
      authenticate,
      streamTokens,
      logLevel,
      version: manifest.version,
      demo: undefined,
      corsOrigins: [],
    },
    // An app is open to the internet without a proxy that could keep them from it.
    metricsTakeKey: true,
    publicUrl: () => publicUrl ?? '',
    // Whoever calls came through a framework that is open to others, whatever address it says.
    sessions: await consoleSessions({
      ...{ store, clock, authenticate, isForThisMachine: false, ...configured },
      ...defined({ publicUrl }),
    }),
    waiters: () => waits.size(),
    ...defaultLimits,
  });
  await app.ready();
  const { fetch, close } = fetchServer(app);
  return {
    fetch,
    async close() {
      await app.close();
      await close(drainMs);
    },
  };
}

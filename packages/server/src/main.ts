/** Puts the concrete pieces together, and takes them apart in the right order. */
import type { AddressInfo } from 'node:net';

import type { Config } from './config.ts';
import { Deadlines } from './delivery/deadlines.ts';
import { EventHub } from './delivery/event-hub.ts';
import { WaitHub } from './delivery/waits.ts';
import { buildApp } from './http/app.ts';
import { authenticator } from './http/authenticate.ts';
import { renderFrame } from './http/event-stream.ts';
import { tokenKeeper } from './http/responder-tokens.ts';
import { newId } from './new-id.ts';
import type { Clock, Context } from './operations/context.ts';
import { expireInteraction } from './operations/expire-interaction.ts';
import { firstAdminKey } from './operations/first-admin-key.ts';
import { databaseMistake, dataFolderMistake, listenMistake } from './start-mistake.ts';
import { FolderInUseError } from './stores/sqlite/lock-folder.ts';
import { openSqliteStore } from './stores/sqlite/sqlite-store.ts';
import type { Store } from './stores/store.ts';

export interface RunningServer {
  url: string;
  /** Made at the first start where none was configured; shown once. */
  newAdminKey?: string;
  /** Lets waiters and streams go, finishes what is under way, and closes the store. */
  stop(): Promise<void>;
}

/** Whoever still holds a connection after this is cut off: a reader that does not read, a body that does not end. */
const drainMs = 3_000;

export async function startServer(config: Config, clock: Clock = { now: Date.now }): Promise<RunningServer> {
  const store = await openStore(config);
  try {
    const waits = new WaitHub(store);
    const hub = new EventHub(store, renderFrame);
    const tokens = await tokenKeeper(store, clock);
    const context: Context = { store, clock, newId, waits, tokens };
    const app = await buildApp({
      context,
      authenticate: authenticator({ store, tokens, clock, ...(config.adminKey ? { adminKey: config.adminKey } : {}) }),
      hub,
      waiters: () => waits.size(),
      rateLimits: {
        ...(config.keyRateLimit ? { perKey: config.keyRateLimit } : {}),
        ...(config.responderRateLimit ? { perResponder: config.responderRateLimit } : {}),
      },
      corsOrigins: config.corsOrigins,
      bodyLimitBytes: config.bodyLimitBytes,
      logLevel: config.logLevel,
    });
    const deadlines = new Deadlines({
      store,
      clock,
      expire: (due) => expireInteraction(context, due),
      onError: (error) => app.log.error({ err: error }, 'deadlines could not be fired; trying again'),
    });
    const drain = async () => {
      const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMs);
      const closed = app.close();
      waits.close();
      hub.close();
      try {
        await Promise.all([closed, deadlines.stop()]);
      } finally {
        clearTimeout(cutOff);
        await store.close();
      }
    };
    let draining: Promise<void> | undefined;
    const stop = () => {
      draining ??= drain();
      return draining;
    };
    let newAdminKey: string | undefined;
    try {
      await app.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
        throw listenMistake(config, error);
      });
      // Last of all: a key made by a start that then fails would never be shown to anybody.
      newAdminKey = config.adminKey ? undefined : await firstAdminKey(context);
    } catch (error) {
      await stop();
      throw error;
    }
    const port = (app.server.address() as AddressInfo).port;
    const host = config.host.includes(':') ? `[${config.host}]` : config.host;
    return { url: `http://${host}:${port}`, ...(newAdminKey ? { newAdminKey } : {}), stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openStore({ databaseUrl, dataFolder }: Config): Promise<Store> {
  try {
    if (databaseUrl === undefined) return await openSqliteStore({ folder: dataFolder });
    // Who does not use it does not wait for its driver to load.
    const { openPostgresStore } = await import('./stores/postgres/postgres-store.ts');
    return await openPostgresStore({ url: databaseUrl });
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
    throw databaseUrl === undefined ? dataFolderMistake(dataFolder, error) : databaseMistake(databaseUrl, error);
  }
}

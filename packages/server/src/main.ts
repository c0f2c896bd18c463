/** Puts the concrete pieces together, and takes them apart in the right order. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Agent } from '@holdpoint/agents';
import manifest from '../package.json' with { type: 'json' };
import type { AgentWorkers } from './agent-workers.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openFileBlobs } from './blobs/file-blobs.ts';
import type { Config } from './config.ts';
import { ClaimDesk } from './delivery/dispatch/claim-desk.ts';
import { Intakes } from './delivery/dispatch/intakes.ts';
import { EventHub } from './delivery/event-hub.ts';
import { Timers } from './delivery/timers.ts';
import { WaitHub } from './delivery/waits.ts';
import { addressRules } from './delivery/webhooks/addresses.ts';
import type { Resolve } from './delivery/webhooks/few-lookups.ts';
import { WebhookHub } from './delivery/webhooks/webhook-hub.ts';
import { startDemo } from './demo/demo.ts';
import type { RetryPolicy } from './domain/webhooks/retry.ts';
import { buildApp } from './http/app.ts';
import { authenticator } from './http/authenticate.ts';
import { consoleSessions } from './http/console/console-sessions.ts';
import { isLoopbackHost } from './http/console/local-request.ts';
import { nativeFormat } from './http/event-stream.ts';
import { linkKeeper } from './http/file-links.ts';
import { type InProcessFetch, inProcessFetch } from './http/in-process.ts';
import { tokenKeeper } from './http/responder-tokens.ts';
import { newId as newUuid } from './new-id.ts';
import type { Clock, Context } from './operations/context.ts';
import { giveBackBatch, leaseLane } from './operations/dispatch/lease-lane.ts';
import { takeIn } from './operations/dispatch/take-in.ts';
import { elapseDraft } from './operations/drafts/elapse-draft.ts';
import { elapseInteraction } from './operations/elapse-interaction.ts';
import { elapseStream } from './operations/elapse-stream.ts';
import { elapseFile } from './operations/files/elapse-file.ts';
import { firstAdminKey } from './operations/first-admin-key.ts';
import { elapseRun } from './operations/runs/elapse-run.ts';
import { isAnyAddress, reachableUrl, urlOf } from './reachable-url.ts';
import { databaseMistake, dataFolderMistake, listenMistake } from './start-mistake.ts';
import { FolderInUseError } from './stores/sqlite/lock-folder.ts';
import { openSqliteStore } from './stores/sqlite/sqlite-store.ts';
import type { Store } from './stores/store.ts';

export interface RunningServer {
  url: string;
  /** Where its links lead. */
  publicUrl: string;
  /** Calls it without a socket. */
  fetch: InProcessFetch;
  /** Made at the first start where none was configured; shown once. */
  newAdminKey?: string;
  /** Lets waiters and streams go, finishes what is under way, and closes the store. */
  stop(): Promise<void>;
}

/** Whoever still holds a connection after this is cut off: a reader that does not read, a body that does not end. */
const drainMs = 3_000;

/** What tests put in place of the world. */
export interface Internals {
  webhookRetry?: RetryPolicy;
  resolveHost?: Resolve;
  agents?: readonly Agent[];
  demoPace?: number;
  newId?(): string;
}

export async function startServer(
  config: Config,
  clock: Clock = { now: Date.now },
  { webhookRetry, resolveHost, agents: given = [], demoPace = 1, newId = newUuid }: Internals = {},
): Promise<RunningServer> {
  const agents = await agentsOf(config, given);
  const store = await openStore(config);
  try {
    const waits = new WaitHub(store);
    const hub = new EventHub(store, nativeFormat);
    const tokens = await tokenKeeper(store, clock);
    const links = await linkKeeper(store);
    const blobs = await openBlobs(config);
    const tools = { store, clock, newId };
    const desk = new ClaimDesk({
      store,
      clock,
      lease: (lane, worker) => leaseLane(tools, lane, worker),
      giveBack: (batch) => giveBackBatch(tools, batch),
      onError: (error) => app.log.error({ err: error }, 'batches could not be handed out; trying again'),
    });
    const dispatch = { claim: desk.claim.bind(desk), begun: new Set<string>(), begin: () => intakes.look() };
    const webhooks = new WebhookHub({
      ...tools,
      addresses: addressRules({
        allowPrivate: config.allowPrivateWebhooks,
        ...(resolveHost ? { resolve: resolveHost } : {}),
      }),
      userAgent: `holdpoint/${manifest.version}`,
      drainMs,
      ...(webhookRetry ? { policy: webhookRetry } : {}),
      onError: (error) => app.log.error({ err: error }, 'a webhook could not be worked on; trying again'),
    });
    let url = '';
    let urlHere = '';
    const publicUrl = () => config.publicUrl ?? urlHere;
    const context: Context = { ...tools, blobs, waits, tokens, links, publicUrl, dispatch, webhooks };
    const configured = config.adminKey ? { adminKey: config.adminKey } : {};
    const authenticate = authenticator({ store, tokens, clock, ...configured });
    const sessions = await consoleSessions({
      ...{ store, clock, authenticate, ...configured },
      ...(config.publicUrl ? { publicUrl: config.publicUrl } : {}),
      isForThisMachine: isLoopbackHost(config.host) && config.publicUrl === undefined,
    });
    const demo =
      config.hasDemo === false
        ? undefined
        : startDemo({
            ...{ context, pace: demoPace, url: () => urlHere },
            onError: (error) => app.log.warn({ err: error }, 'the agent of the demo'),
          });
    const app = await buildApp({
      context,
      version: manifest.version,
      demo,
      authenticate,
      sessions,
      hub,
      waiters: () => waits.size(),
      rateLimits: {
        ...(config.keyRateLimit ? { perKey: config.keyRateLimit } : {}),
        ...(config.responderRateLimit ? { perResponder: config.responderRateLimit } : {}),
        ...(config.sessionRateLimit ? { sessionsPerMinute: config.sessionRateLimit } : {}),
      },
      corsOrigins: config.corsOrigins,
      bodyLimitBytes: config.bodyLimitBytes,
      logLevel: config.logLevel,
    });
    const onDueError = (error: unknown) => app.log.error({ err: error }, 'what is due could not be done; trying again');
    const timers = [
      new Timers({
        ...{ store, clock, kind: 'interaction', onError: onDueError },
        movedBy: ['interaction.created', 'interaction.updated'],
        fire: (due) => elapseInteraction(context, due),
      }),
      // None is due sooner than a minute after it was set.
      new Timers({
        ...{ store, clock, kind: 'stream', onError: onDueError },
        movedBy: [],
        fire: (due) => elapseStream(context, due),
      }),
      new Timers({
        ...{ store, clock, kind: 'run', onError: onDueError },
        movedBy: ['run.waiting', 'run.failed', 'run.cancelled'],
        fire: (due) => elapseRun(context, due),
      }),
      new Timers({
        ...{ store, clock, kind: 'file', onError: onDueError },
        movedBy: ['run.completed', 'run.failed', 'run.cancelled'],
        fire: (due) => elapseFile(context, due),
      }),
      // None is due sooner than a month after it was set.
      new Timers({
        ...{ store, clock, kind: 'draft', onError: onDueError },
        movedBy: [],
        fire: (due) => elapseDraft(context, due),
      }),
    ];
    const intakes = new Intakes({
      store,
      clock,
      takeIn: (orgId, inputs) => takeIn(tools, orgId, inputs),
      onError: (error) => app.log.error({ err: error }, 'inputs could not be taken in; trying again'),
    });
    webhooks.start();
    let workers: AgentWorkers | undefined;
    const drain = async () => {
      demo?.stop();
      const stopped = workers?.stop();
      const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMs);
      const closed = app.close();
      waits.close();
      desk.close();
      hub.close();
      try {
        await Promise.all([closed, stopped, ...timers.map((each) => each.stop()), intakes.stop(), webhooks.stop()]);
      } finally {
        clearTimeout(cutOff);
        await blobs.close();
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
      const { address, port } = app.server.address() as AddressInfo;
      url = urlOf(config.host, port);
      // By the address that it came to: there are many ways to write the one for all of them.
      urlHere = isAnyAddress(address) ? reachableUrl(address, port) : url;
      // Last of all: a key made by a start that then fails would never be shown to anybody.
      newAdminKey = config.adminKey ? undefined : await firstAdminKey(context);
      demo?.resume().catch((error: unknown) => app.log.warn({ err: error }, 'the demo does not go on'));
      workers = await startAgents(context, agents, (error) => app.log.error({ err: error }, 'an agent'));
    } catch (error) {
      await stop();
      throw error;
    }
    const fetch = inProcessFetch(app);
    return { url, publicUrl: publicUrl(), fetch, ...(newAdminKey ? { newAdminKey } : {}), stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const sayItTakesTime = (): void =>
  void process.stderr.write('holdpoint: bringing the data up to date, this may take a minute\n');

async function openStore({ databaseUrl, dataFolder }: Config): Promise<Store> {
  try {
    if (databaseUrl === undefined) return await openSqliteStore({ folder: dataFolder, onOlder: sayItTakesTime });
    // Who does not use it does not wait for its driver to load.
    const { openPostgresStore } = await import('./stores/postgres/postgres-store.ts');
    return await openPostgresStore({ url: databaseUrl });
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
    throw databaseUrl === undefined ? dataFolderMistake(dataFolder, error) : databaseMistake(databaseUrl, error);
  }
}

/** Most servers have none, and then nothing of it is loaded. */
async function agentsOf({ agentFiles = [], assistant }: Config, given: readonly Agent[]): Promise<Agent[]> {
  if (agentFiles.length === 0 && !assistant) return [...given];
  const { loadAgents } = await import('./load-agents.ts');
  const own = assistant ? [(await import('./configured-assistant.ts')).configuredAssistant(assistant)] : [];
  return loadAgents(agentFiles, [...given, ...own]);
}

async function startAgents(context: Context, agents: readonly Agent[], onError: (error: unknown) => void) {
  if (agents.length === 0) return undefined;
  const { startWorkers } = await import('./agent-workers.ts');
  return startWorkers(context, agents, onError);
}

/** Beside the records: in the folder that the store holds, or in the same database. */
async function openBlobs({ databaseUrl, dataFolder }: Config): Promise<BlobStore> {
  if (databaseUrl === undefined) return openFileBlobs({ folder: join(dataFolder, 'blobs') });
  const { openPostgresBlobs } = await import('./blobs/postgres-blobs.ts');
  return openPostgresBlobs({ url: databaseUrl });
}

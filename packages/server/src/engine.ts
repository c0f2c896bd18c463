/** Everything that runs with or without HTTP: the data, readers of the log, timers, webhooks, dispatch and agents. */
import type { Agent } from '@holdpoint/agents';
import { defined } from '@holdpoint/protocol';
import manifest from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import { Callbacks } from './delivery/callbacks.ts';
import { ClaimQueue } from './delivery/dispatch/claim-queue.ts';
import { InputReaders } from './delivery/dispatch/input-reader.ts';
import { EventHub } from './delivery/event-hub.ts';
import { type TimerOptions, Timers } from './delivery/timers.ts';
import { WaitHub } from './delivery/waits.ts';
import { addressRules } from './delivery/webhooks/addresses.ts';
import type { Resolve } from './delivery/webhooks/fair-lookups.ts';
import { WebhookHub } from './delivery/webhooks/webhook-hub.ts';
import type { RetryPolicy } from './domain/webhooks/retry.ts';
import { nativeFormat } from './http/streams/event-stream.ts';
import { newId as newUuid } from './new-id.ts';
import { OpenIdProviders } from './oidc/identity-providers.ts';
import { type Data, type DataConfig, lostData, openData } from './open-data.ts';
import { operatorOrg } from './operations/access/orgs.ts';
import { callerService } from './operations/caller-service.ts';
import type { Clock, Context } from './operations/context.ts';
import { enqueueInputs } from './operations/dispatch/enqueue-inputs.ts';
import { giveBackBatch, leaseQueue } from './operations/dispatch/lease-queue.ts';
import { expireFile } from './operations/files/delete-files.ts';
import { expireInteraction } from './operations/interactions/change-interaction.ts';
import { expireDraft } from './operations/interactions/drafts.ts';
import { Viewings } from './operations/interactions/viewings.ts';
import { expireStream } from './operations/messages/message-streams.ts';
import { expireAccess } from './operations/people/access-expiry.ts';
import { finishDeactivation } from './operations/people/deactivate.ts';
import { isRevoked } from './operations/people/revoke-tokens.ts';
import { fireRunTimer } from './operations/runs/change-run.ts';
import { SearchedLogs } from './operations/runs/searched-logs.ts';
import { passkeyKeeper } from './signing/passkeys.ts';
import { type TokenKeeper, tokenKeeper } from './signing/responder-tokens.ts';
import { callbackSecrets, linkKeeper } from './signing/server-secret.ts';
import { type StreamTokenKeeper, streamTokenKeeper } from './signing/stream-tokens.ts';

/** Time for readers and request bodies to finish while stopping. Then their connections are closed. */
export const drainMs = 3_000;

/** Replaced by tests. */
export interface World {
  clock?: Clock;
  webhookRetry?: RetryPolicy;
  resolveHost?: Resolve;
  newId?(): string;
}

interface EngineOptions {
  config: DataConfig & Pick<Config, 'allowPrivateWebhooks' | 'adminKey' | 'identityProviders'>;
  /** The base of links, once it is known. */
  publicUrl(): string | undefined;
  world: World;
}

interface Log {
  error(fields: { err: unknown }, text: string): void;
}

export interface Engine {
  context: Context;
  hub: EventHub;
  waits: WaitHub;
  tokens: TokenKeeper;
  streamTokens: StreamTokenKeeper;
  /** Starts timers, webhooks and input readers. */
  start(log: Log): void;
  startAgents(agents: readonly Agent[]): Promise<void>;
  /** Ends waits and streams, finishes running work and `others`, and closes the data. */
  stop(others?: Promise<unknown>): Promise<void>;
}

export async function openEngine(options: EngineOptions): Promise<Engine> {
  const data = await openData(options.config);
  try {
    return await engineOn(data, options);
  } catch (error) {
    await data.close();
    throw lostData(options.config, error);
  }
}

async function engineOn(data: Data, { config, publicUrl, world }: EngineOptions): Promise<Engine> {
  const { clock = { now: Date.now }, newId = newUuid, webhookRetry, resolveHost } = world;
  const { store, blobs } = data;
  const tools = { store, clock, newId };
  let log: Log | undefined;
  const logAs = (text: string) => (error: unknown) => log?.error({ err: error }, text);
  const waits = new WaitHub(store);
  const hub = new EventHub(store, nativeFormat);
  const tokens = await tokenKeeper(store, clock, (issued) => isRevoked({ store }, issued));
  const streamTokens = await streamTokenKeeper({ store, clock, adminKey: config.adminKey });
  const links = await linkKeeper(store);
  const passkeys = await passkeyKeeper(store, clock);
  const claimQueue = new ClaimQueue({
    ...{ store, clock },
    lease: (queue, worker) => leaseQueue(tools, queue, worker),
    giveBack: (batch) => giveBackBatch(tools, batch),
    onError: logAs('batches could not be leased; trying again'),
  });
  const sending = {
    ...tools,
    addresses: addressRules({
      allowPrivate: config.allowPrivateWebhooks,
      ...defined({ resolve: resolveHost }),
    }),
    userAgent: `holdpoint/${manifest.version}`,
    drainMs,
    ...defined({ policy: webhookRetry }),
  };
  const callbacks = new Callbacks({ ...sending, secretOf: await callbackSecrets(store) });
  const identityProviders = new OpenIdProviders({
    ...{ clock, configured: config.identityProviders ?? [], addresses: sending.addresses },
    userAgent: sending.userAgent,
  });
  const webhooks = new WebhookHub({ ...sending, onError: logAs('a webhook failed; trying again') });
  let inputReaders: InputReaders | undefined;
  let workers: readonly { stop(): Promise<void> }[] = [];
  const working: { stop(): Promise<void> }[] = [];
  const dispatch = {
    claim: claimQueue.claim.bind(claimQueue),
    begun: new Map<string, Promise<void>>(),
    begin: async (orgId: string) => inputReaders?.firstRead(orgId),
  };
  const context: Context = {
    ...{
      ...tools,
      blobs,
      waits,
      tokens,
      streamTokens,
      links,
      passkeys,
      publicUrl,
      dispatch,
      webhooks,
      callbacks,
      identityProviders,
    },
    searchedLogs: new SearchedLogs(),
    viewings: new Viewings(),
  };

  const drain = async (others?: Promise<unknown>) => {
    const stopped = workers.map((worker) => worker.stop());
    waits.close();
    claimQueue.close();
    hub.close();
    // A part that fails to stop must not close the data under the others.
    const ends = await Promise.allSettled([others, ...stopped, ...working.map((each) => each.stop())]);
    await identityProviders.close();
    await data.close();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  };
  let draining: Promise<void> | undefined;

  return {
    ...{ context, hub, waits, tokens, streamTokens },
    start(given) {
      log = given;
      inputReaders = new InputReaders({
        ...{ store, clock },
        enqueueInputs: (orgId, inputs) => enqueueInputs(tools, orgId, inputs),
        onError: logAs('inputs could not be queued; trying again'),
      });
      webhooks.start();
      const timers = startTimers(context, callbacks, logAs('timers could not be fired; trying again'));
      working.push(callbacks, ...timers, inputReaders, webhooks);
    },
    /** Runs each agent in a worker that calls the operations with an agent key of the operator's org. */
    async startAgents(agents) {
      if (agents.length === 0) return;
      const { runAgents } = await import('@holdpoint/agents');
      if (draining) return;
      workers = agents.map((agent) => {
        const caller = {
          kind: 'key',
          orgId: operatorOrg,
          keyId: `agent:${agent.name}`,
          role: 'agent',
          isLocal: true,
        } as const;
        return runAgents({ service: callerService(context, caller), agents: [agent], onError: logAs('an agent') });
      });
    },
    stop(others) {
      draining ??= drain(others);
      return draining;
    },
  };
}

function startTimers(context: Context, callbacks: Callbacks, onError: (error: unknown) => void): Timers[] {
  const { store, clock } = context;
  const timers: [TimerOptions['kind'], TimerOptions['movedBy'], TimerOptions['fire']][] = [
    ['interaction', ['interaction.created', 'interaction.updated'], (due) => expireInteraction(context, due)],
    // Due at least a minute after it was set, so no event moves it.
    ['stream', [], (due) => expireStream(context, due)],
    ['run', ['run.waiting', 'run.failed', 'run.cancelled'], (due) => fireRunTimer(context, due)],
    ['file', ['run.completed', 'run.failed', 'run.cancelled'], (due) => expireFile(context, due)],
    // Due at least a month after it was set.
    ['draft', [], (due) => expireDraft(context, due)],
    // Deletes what has expired. Nothing waits for it.
    ['access', [], (due) => expireAccess(context, due)],
    ['person', [], (due) => finishDeactivation(context, due)],
    // Polled, so it may fire a second late. Looking at every answer would slow down servers without callbacks.
    ['callback', [], (due) => callbacks.fire(due)],
  ];
  return timers.map(([kind, movedBy, fire]) => new Timers({ store, clock, onError, kind, movedBy, fire }));
}

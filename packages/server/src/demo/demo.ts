/** The demo of a server. It uses no memory or process until a user opens it, and continues after a restart. */
import { createHmac } from 'node:crypto';
import { defined, fail } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Demo } from '../http/console/demo-routes.ts';
import { hashApiKey } from '../operations/access/api-keys.ts';
import { operatorOrg } from '../operations/access/orgs.ts';
import { callerService } from '../operations/caller-service.ts';
import type { Context } from '../operations/context.ts';
import { storedSecret } from '../signing/server-secret.ts';
import { DemoProcess } from './demo-process.ts';
import { colleague, demoAgent } from './release-questions.ts';

interface DemoOptions {
  context: Context;
  /** The URL at which people reach the server. */
  publicUrl(): string;
  /** The URL at which this machine reaches the server. */
  url(): string;
  pace?: number;
  onError(error: unknown): void;
}

export interface RunningDemo extends Demo {
  /** Continues the demos that were open when the server stopped. */
  resume(): Promise<void>;
  stop(): void;
}

/** The number of latest runs to look at. */
const remembered = 20;
const linkSeconds = 3_600;

export function startDemo({ context, publicUrl, url, pace = 1, onError }: DemoOptions): RunningDemo {
  const { store } = context;
  const admin: Caller = { kind: 'key', orgId: operatorOrg, keyId: 'demo', role: 'admin', isLocal: true };
  let threadId: string | undefined;
  const opened = new Set<string>();
  const agent = new DemoProcess({
    begin: async () => ({ type: 'begin', url: url(), key: await demoKey(context), pace }),
    urlOf: ({ type, id }) => (type === 'link' ? linkFor(id) : originOf(id)),
    onError,
  });

  async function linkFor(interactionId: string): Promise<string> {
    const interaction = await store.getInteraction({ orgId: operatorOrg, id: interactionId });
    const thread = interaction && (await store.getThread({ orgId: operatorOrg, id: interaction.threadId }));
    // A user who can start our processes could do more than this, but the demo needs nothing else.
    if (thread?.agent !== demoAgent) return fail('forbidden', 'The demo creates links only to its own requests.');
    const asked = { responderId: colleague, interactionId, ttlSeconds: linkSeconds };
    const { token } = await callerService(context, admin).mintResponderToken(asked);
    return `${await originOf(thread.id)}/a/#${token}`;
  }

  /** Any key can create threads with any metadata. So this accepts only origins at which an admin opened the demo. */
  async function originOf(id: string): Promise<string> {
    const origin = (await store.getThread({ orgId: operatorOrg, id }))?.metadata?.origin;
    return typeof origin === 'string' && opened.has(origin) ? origin : publicUrl();
  }

  return {
    describe: () => ({ state: agent.state, ...defined({ threadId, pid: agent.pid }) }),
    async open(caller, origin) {
      opened.add(origin);
      const service = callerService(context, caller);
      const thread = await service.createThread({ title: 'Demo: release', agent: demoAgent, metadata: { origin } });
      await service.postMessage({ threadId: thread.id, text: 'Please release the new version.', role: 'user' });
      threadId = thread.id;
      await agent.start();
      return { threadId };
    },
    kill: () => agent.kill(),
    async resume() {
      // cspell:ignore lane
      const isAwaited = (await store.nextDueAt({ kind: `lane ${demoAgent}`, orgId: operatorOrg })) !== undefined;
      // The agent has a key once the demo was opened. Listing runs would start the reader thread, which takes 11 MB.
      const wasOpened = isAwaited || (await store.getApiKey({ orgId: operatorOrg, id: demoAgent })) !== undefined;
      if (!wasOpened) return;
      const by = { orgId: operatorOrg, agent: demoAgent, order: 'newest', limit: remembered } as const;
      const { items } = await store.listRuns(by);
      threadId ??= items[0]?.threadId;
      const isOpen = items.some(({ endedAt }) => endedAt === undefined);
      if (isOpen || isAwaited) await agent.start();
    },
    stop: () => agent.stop(),
  };
}

/** The API key of the demo agent: created on first use, the same after every restart, and never shown. */
async function demoKey({ store, clock }: Pick<Context, 'store' | 'clock'>): Promise<string> {
  const seed = await storedSecret(store, 'demo-secret');
  // A revoked key stays revoked. The next key of the series replaces it.
  for (let place = 0; ; ) {
    const secret = `hp_${createHmac('sha256', seed).update(`${demoAgent} ${place}`).digest('base64url')}`;
    const hash = hashApiKey(secret);
    const stored = await store.findApiKey({ hash });
    if (stored && !stored.record.revokedAt) return secret;
    if (stored) place++;
    else {
      // Events name their actor by the id of its key, so the id is readable.
      const id = place === 0 ? demoAgent : `${demoAgent}-${place}`;
      const record = { id, name: demoAgent, role: 'agent', createdAt: timestamp(clock.now()) } as const;
      await store.commit({ orgId: operatorOrg, newApiKey: { orgId: operatorOrg, hash, record } });
    }
  }
}

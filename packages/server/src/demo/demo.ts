/** The demo of a server: nothing of it is there until somebody opens it, and what was begun goes on after a restart. */
import { defined, fail } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Demo } from '../http/console/demo.ts';
import { callerService } from '../operations/caller-service.ts';
import type { Context } from '../operations/context.ts';
import { operatorOrg } from '../operations/orgs.ts';
import { demoKey } from './demo-key.ts';
import { DemoProcess } from './demo-process.ts';
import { colleague, demoAgent } from './demo-world.ts';

export interface DemoOptions {
  context: Context;
  /** Where people reach the server. */
  publicUrl(): string;
  /** Where this machine reaches the server. */
  url(): string;
  pace?: number;
  onError(error: unknown): void;
}

export interface RunningDemo extends Demo {
  /** Goes on with what was begun before this server was started. */
  resume(): Promise<void>;
  stop(): void;
}

/** As many of the last demos are looked at. */
const remembered = 20;
const linkSeconds = 3_600;

export function startDemo({ context, publicUrl, url, pace = 1, onError }: DemoOptions): RunningDemo {
  const { store } = context;
  const admin: Caller = { kind: 'key', orgId: operatorOrg, keyId: 'demo', role: 'admin' };
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
    // Whoever may start processes as us may do more than this; but no more is needed.
    if (thread?.agent !== demoAgent) return fail('forbidden', 'The demo makes links to its own questions alone.');
    const asked = { responderId: colleague, interactionId, ttlSeconds: linkSeconds };
    const { token } = await callerService(context, admin).mintResponderToken(asked);
    return `${await originOf(thread.id)}/a/${token}`;
  }

  /** A thread may be anybody's who has a key, and say what it likes: only an origin that an admin has opened the demo at is taken. */
  async function originOf(id: string): Promise<string> {
    const origin = (await store.getThread({ orgId: operatorOrg, id }))?.metadata?.origin;
    return typeof origin === 'string' && opened.has(origin) ? origin : publicUrl();
  }

  return {
    describe: () => ({
      state: agent.state,
      ...defined({ threadId, pid: agent.pid }),
    }),
    async open(caller, origin) {
      opened.add(origin);
      const service = callerService(context, caller);
      const thread = await service.createThread({ title: 'Demo: a release', agent: demoAgent, metadata: { origin } });
      await service.postMessage({ threadId: thread.id, text: 'Please get our release out.', role: 'user' });
      threadId = thread.id;
      await agent.start();
      return { threadId };
    },
    kill: () => agent.kill(),
    async resume() {
      const isAwaited = (await store.nextDueAt({ kind: `lane ${demoAgent}`, orgId: operatorOrg })) !== undefined;
      // Its agent has a key since the demo was first opened. A list would start the reader thread: 11 MB that few servers need.
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

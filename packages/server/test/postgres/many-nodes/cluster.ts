/** Several nodes on one database, each a process that may be killed, and callers that do not give up. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, Reply } from '../../client.ts';
import { type SpawnedServer, type SpawnOptions, spawnServer } from '../../spawned-server.ts';

/** How long a caller pauses after one node after the other failed. */
const pauseMs = 20;
/** A caller that hears nothing for this long asks again; longer than the longest wait. */
const patienceMs = 90_000;

export interface Node {
  /** Undefined from its death until the next one listens. */
  server: SpawnedServer | undefined;
  /** As a crash, and started again as a supervisor does it: resolves when it runs. */
  killAndRestart(): Promise<void>;
}

interface CallOptions {
  body?: unknown;
  key?: string;
  /** Whom to ask first. */
  at?: Node;
}

export interface Cluster extends AsyncDisposable {
  nodes: Node[];
  /** How often a caller was let down. */
  letDowns: number;
  /** Resolves with a running node: this one if it runs, or else any other. */
  someNode(preferred?: Node): Promise<SpawnedServer>;
  /** Calls one node after the other, until it is answered with something else than that it should try again. */
  call<T>(path: string, options?: CallOptions): Promise<Reply<T>>;
}

export interface ClusterOptions extends Pick<SpawnOptions, 'args' | 'env'> {
  url: string;
  size: number;
}

export async function startCluster({ url, size, args = [], env = {} }: ClusterOptions): Promise<Cluster> {
  let isOver = false;
  const restarts = new Set<Promise<void>>();

  async function start(node: Node): Promise<void> {
    while (true)
      try {
        const place = { flags: ['--database-url', url] };
        node.server = await spawnServer({ place, args: ['--log-level', 'silent', ...args], env });
        return;
      } catch (error) {
        // Without a database it does not start; that is for the supervisor to try again.
        if (isOver || !/ended with 2:/.test(`${error}`)) throw error;
      }
  }

  async function restart(node: Node): Promise<void> {
    const victim = node.server;
    node.server = undefined;
    const restarted = Promise.resolve(victim?.kill('SIGKILL')).then(() => start(node));
    restarts.add(restarted);
    await restarted.finally(() => restarts.delete(restarted));
  }

  const nodes = Array.from({ length: size }, (): Node => {
    let restarting: Promise<void> | undefined;
    const node: Node = {
      server: undefined,
      // One that is dead already is not killed again, or two would come in its place.
      async killAndRestart() {
        restarting ??= restart(node).finally(() => {
          restarting = undefined;
        });
        await restarting;
      },
    };
    return node;
  });

  async function someNode(preferred?: Node): Promise<SpawnedServer> {
    while (!isOver) {
      const running = nodes.filter(({ server }) => server);
      const chosen = preferred?.server ?? running[Math.floor(Math.random() * running.length)]?.server;
      if (chosen) return chosen;
      await pause(pauseMs);
    }
    throw new Error('the cluster is gone');
  }

  const cluster: Cluster = {
    nodes,
    letDowns: 0,
    someNode,
    async call<T>(path: string, { body, key, at }: CallOptions = {}) {
      for (let tries = 0; ; tries++) {
        const { admin } = await someNode(tries === 0 ? at : undefined);
        const reply = await callOnce<T>(admin, path, body, key);
        if (reply) return reply;
        cluster.letDowns++;
        if (tries > 0) await pause(pauseMs);
      }
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.allSettled(restarts);
      await Promise.all(nodes.map(({ server }) => server?.kill('SIGKILL')));
    },
  };
  await Promise.all(nodes.map((node) => node.killAndRestart()));
  return cluster;
}

/** Undefined where the connection was lost, or the node says that it cannot at present. */
async function callOnce<T>(admin: Client, path: string, body: unknown, key = ''): Promise<Reply<T> | undefined> {
  const headers: Record<string, string> = key ? { 'idempotency-key': key } : {};
  const signal = AbortSignal.timeout(patienceMs);
  const calling = admin.call<T>(path, { headers, signal, ...(body === undefined ? {} : { body }) });
  const reply = await calling.catch((error: unknown) => {
    // Any other error than one of the connection, such as an answer that is not JSON, fails the test.
    if (error instanceof SyntaxError) throw error;
    return undefined;
  });
  return reply?.status === 503 ? undefined : reply;
}

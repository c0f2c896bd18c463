/** GET /healthz and GET /readyz. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../operations/context.ts';

export function addHealth(app: FastifyInstance, { store }: Context, version: string): void {
  app.get('/healthz', async () => ({ status: 'ok', version }));
  // Needs no key, and uses the connection of all writes: 64 callers in a loop raised a commit from 0.4 to 2.9 ms.
  const checkReady = sharedCheck(() => store.checkReady());
  app.get('/readyz', async () => {
    await checkReady();
    const blocked = store.blockedWrites();
    const warning = `${blocked} ${blocked === 1 ? 'write is' : 'writes are'} waiting for a lock that another database session holds.`;
    return { status: 'ready', ...defined({ warning: blocked > 0 ? warning : undefined }) };
  });
}

const betweenChecksMs = 100;

/** Does not keep a stopping process alive. */
const pause = (): Promise<void> => sleep(betweenChecksMs, undefined, { ref: false });

/**
 * Runs a check at most ten times a second. Callers share a running check. Later callers wait for the next one, so that
 * no result outlives its check.
 */
export function sharedCheck(check: () => Promise<void>, pauseBetween = pause): () => Promise<void> {
  let shared: Promise<void> | undefined;
  let mayBegin = Promise.resolve();
  return () => {
    shared ??= mayBegin.then(check).finally(() => {
      mayBegin = pauseBetween();
      shared = undefined;
    });
    return shared;
  };
}

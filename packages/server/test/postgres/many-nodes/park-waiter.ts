import type { Interaction } from '@holdpoint/protocol';
import { expect, vi } from 'vitest';
import type { Client, Reply } from '../../client.ts';

/** Has the only waiter of a node wait; resolves when it has found the interaction pending. */
export async function parkWaiter(node: Client, id: string): Promise<{ waiting: Promise<Reply<Interaction>> }> {
  const path = `/v1/interactions/${id}`;
  const waiting = node.get<Interaction>(`${path}/wait?timeoutMs=60000`);
  // A test that fails before it waits for this one tells its own failure only.
  waiting.catch(() => {});
  const metrics = async () => (await fetch(`${node.url}/metrics`)).text();
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^holdpoint_waiters 1$/m), 30_000);
  // Connections answer in turn: who asks on each of them later hears later.
  for (let times = 0; times < 8; times++) expect((await node.get<Interaction>(path)).body.status).toBe('pending');
  return { waiting };
}

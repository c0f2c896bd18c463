import { expect, vi } from 'vitest';
import type { Client } from '../../client.ts';

/** Resolves when no connection of a node is left that was cut and not found so yet: those for reads take turns. */
export async function readsGoOn(node: Client): Promise<void> {
  await vi.waitFor(async () => {
    for (let times = 0; times < 8; times++) expect((await node.get('/v1/threads')).status).toBe(200);
  }, 30_000);
}

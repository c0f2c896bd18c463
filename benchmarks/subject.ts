/** A server under test with what it stores. */
import { rmSync } from 'node:fs';
import { activeThreads, readIds, seededFolder } from './seed.ts';
import { type Spawned, spawnHoldpoint } from './spawn-server.ts';

export interface Subject {
  stored: number;
  server: Spawned;
  threadIds: string[];
  interactionIds: string[];
  /** Pending ones from the whole store, each to be answered once. */
  pendingIds: string[];
  close(): Promise<void>;
}

const sampled = 20_000;
const pendingSampled = 60_000;

export async function openSubject({ stored, scratch }: { stored: number; scratch: string }): Promise<Subject> {
  const folder = seededFolder({ stored, scratch });
  const threadIds = readIds({ folder, table: 'threads', count: activeThreads });
  const interactionIds = readIds({ folder, table: 'interactions', count: Math.min(stored, sampled) });
  const pendingCount = Math.min(stored / 2, pendingSampled);
  const pendingIds = readIds({ folder, table: 'interactions', where: "status = 'pending'", count: pendingCount });
  const server = await spawnHoldpoint(folder);
  const close = async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  };
  return { stored, server, threadIds, interactionIds, pendingIds, close };
}

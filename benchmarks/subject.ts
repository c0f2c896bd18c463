/** A server under test, and the ids of its stored data. */
import type { BenchStore, Place } from './bench-store.ts';
import type { StoredIds } from './seed-plan.ts';
import { type Spawned, spawnHoldpoint } from './spawn-server.ts';

export interface Subject extends StoredIds {
  stored: number;
  place: Place;
  server: Spawned;
  close(): Promise<void>;
}

export async function openSubject(store: BenchStore, stored: number): Promise<Subject> {
  const place = await store.seededPlace(stored);
  const { threadIds, interactionIds, pendingIds } = place;
  const server = await spawnHoldpoint(place);
  const close = async () => {
    await server.stop();
    await place.remove();
  };
  return { stored, place, server, threadIds, interactionIds, pendingIds, close };
}

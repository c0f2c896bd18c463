/** What the bench needs of a store, whichever it is. */
import type { StoredIds } from './seed-plan.ts';

export type StoreName = 'sqlite' | 'postgres';

export interface BenchStore {
  name: StoreName;
  /** What is to be known of it when numbers are compared. */
  settings: object;
  emptyPlace(): Promise<Place>;
  seededPlace(stored: number): Promise<SeededPlace>;
  close(): Promise<void>;
}

/** Where servers keep their data. */
export interface Place {
  /** How the command is told of it. */
  flags: string[];
  databaseUrl?: string;
  remove(): Promise<void>;
}

export type SeededPlace = Place & StoredIds;

/** The operations that every benchmark needs from a store. */
import type { StoredIds } from './seed-plan.ts';

export type StoreName = 'sqlite' | 'postgres';

export interface BenchStore {
  name: StoreName;
  /** Facts about the store that matter when numbers are compared. */
  settings: object;
  emptyPlace(): Promise<Place>;
  seededPlace(stored: number): Promise<SeededPlace>;
  close(): Promise<void>;
}

/** A place in which a server keeps its data. */
export interface Place {
  /** The flags that name the place on the command line. */
  flags: string[];
  databaseUrl?: string;
  remove(): Promise<void>;
}

export type SeededPlace = Place & StoredIds;

/** What embedding takes and gives. */
import type { Agent } from '@holdpoint/agents';
import type { Holdpoint } from '@holdpoint/client';

interface SharedOptions {
  /** Agents that run in this process. */
  agents?: readonly Agent[] | undefined;
  /** Where a server of the same database is reached, for the links to questions; without it, tokens come without one. */
  publicUrl?: string | undefined;
  /** What goes wrong in the background is a line of JSON on standard error; `silent` leaves it out. */
  logLevel?: 'error' | 'silent' | undefined;
}

/** A folder that this process alone uses, or a PostgreSQL database that many may share. */
export type HoldpointOptions = SharedOptions &
  ({ data: string; databaseUrl?: undefined } | { databaseUrl: string; data?: undefined });

/** Every verb of the client, in this process. */
export interface EmbeddedHoldpoint extends Holdpoint {
  /** Finishes what is under way and lets go of the data. What still waits, and every call from then on, is `shutting-down`. */
  close(): Promise<void>;
}

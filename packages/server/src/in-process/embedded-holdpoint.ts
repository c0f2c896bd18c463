/** What embedding takes and gives. */
import type { Agent } from '@holdpoint/agents';
import type { Holdpoint } from '@holdpoint/client';
import type { FetchHandler } from '../http/connections/fetch-handler.ts';

interface SharedOptions {
  /** Agents that run in this process. */
  agents?: readonly Agent[] | undefined;
  /** Origin at which people reach `fetch`, or a server of the same database. Without it, tokens come without a link. */
  publicUrl?: string | undefined;
  /** A key with admin rights for requests to `fetch`, beside the keys that are stored. */
  adminKey?: string | undefined;
  /** What goes wrong in the background is a line of JSON on standard error; `silent` leaves it out. */
  logLevel?: 'error' | 'silent' | undefined;
}

/** A folder that this process alone uses, or a PostgreSQL database that many may share. */
export type HoldpointOptions = SharedOptions &
  ({ data: string; databaseUrl?: undefined } | { databaseUrl: string; data?: undefined });

/** Every verb of the client, in this process, and what a server shows over HTTP. */
export interface EmbeddedHoldpoint extends Holdpoint {
  /**
   * Serves the API, the other protocols, MCP, the widget, the links to questions and the console. Every request needs a key or a token,
   * as at a server, and none is let into the console for coming from this machine.
   */
  readonly fetch: FetchHandler;
  /** Finishes what is under way and lets go of the data. What still waits, and every call from then on, is `shutting-down`. */
  close(): Promise<void>;
}

/** The options and the result of embedding. */
import type { Agent } from '@holdpoint/agents';
import type { Holdpoint } from '@holdpoint/client';
import type { FetchHandler } from '../http/connections/fetch-handler.ts';

interface SharedOptions {
  /** Agents that run in this process. */
  agents?: readonly Agent[] | undefined;
  /** Origin at which people reach `fetch`, or a server of the same database. Without it, tokens come without a link. */
  publicUrl?: string | undefined;
  /** A key with admin rights for requests to `fetch`, in addition to the stored keys. */
  adminKey?: string | undefined;
  /** Background errors are lines of JSON on standard error. `silent` turns them off. */
  logLevel?: 'error' | 'silent' | undefined;
}

/** A folder that this process alone uses, or a PostgreSQL database that many may share. */
export type HoldpointOptions = SharedOptions &
  ({ data: string; databaseUrl?: undefined } | { databaseUrl: string; data?: undefined });

/** Every verb of the client in this process, and everything that a server serves over HTTP. */
export interface EmbeddedHoldpoint extends Holdpoint {
  /**
   * Serves the API, the other protocols, MCP, the widget, the links to questions and the console. Every request needs a key
   * or a token, as at a server. Users of this machine have no other rights.
   */
  readonly fetch: FetchHandler;
  /** Finishes running work and closes the data. Waits, and all later calls, fail with `shutting-down`. */
  close(): Promise<void>;
}

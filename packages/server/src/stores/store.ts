/** The port: a store saves outcomes and reads records. It knows no rule; `store.contract.ts` says what it promises. */
import type {
  ApiKey,
  EventFilter,
  EventType,
  FreeObject,
  Grant,
  Interaction,
  InteractionFilter,
  LogEvent,
  Message,
  Thread,
} from '@holdpoint/protocol';
import type { NewEvent } from '../domain/command.ts';

/** Everything one verb changes. It is saved whole, in one transaction, or not at all. */
export interface Change {
  orgId: string;
  newOrg?: Org;
  newThread?: Thread;
  newMessage?: Message;
  /** `expectedVersion` 0 means that the interaction is new. */
  interaction?: { record: Interaction; expectedVersion: number };
  newGrant?: Grant;
  /** Closes an open grant; a conflict where it is closed already. */
  closedGrant?: Grant;
  newSecrets?: { interactionId: string; values: FreeObject };
  /** Removes the secrets; a conflict where they are gone already. */
  takenSecrets?: { interactionId: string };
  newApiKey?: StoredApiKey;
  changedApiKey?: StoredApiKey;
  log?: { threadId: string; events: readonly NewEvent[] };
  idempotency?: IdempotencyRecord;
}

export interface Org {
  id: string;
  createdAt: string;
}

export interface StoredApiKey {
  orgId: string;
  hash: string;
  record: ApiKey;
}

export interface IdempotencyRecord {
  key: string;
  fingerprint: string;
  resource: { type: 'thread' | 'message' | 'interaction' | 'grant' | 'api-key' | 'org'; id: string };
}

/** The outside of an event: enough to wake whoever waits for it. */
export interface EventHead {
  cursor: string;
  orgId: string;
  threadId: string;
  seq: number;
  type: EventType;
  interactionId?: string;
}

export type Committed =
  | { ok: true; events: EventHead[] }
  | { ok: false; reason: 'conflict' }
  | { ok: false; reason: 'no-thread' }
  | { ok: false; reason: 'repeated'; earlier: IdempotencyRecord };

/** Where and when a question is asked, as far as it settles which grants may reach it. */
interface GrantPlace {
  orgId: string;
  key: string;
  threadId: string;
  runId?: string;
  now: number;
}

export interface Listing<T> {
  items: T[];
  next?: string;
}

export interface Store {
  /** Resolves once the change is on disk. Rejects with storage-unavailable, and nothing is changed, where it cannot be. */
  commit(change: Change): Promise<Committed>;
  /**
   * Calls the listener with the head of every event that any node commits from now on, once each, in log order, soon
   * after its commit.
   */
  onCommitted(listener: (heads: readonly EventHead[]) => void): () => void;

  getThread(by: { orgId: string; id: string }): Promise<Thread | undefined>;
  listThreads(by: { orgId: string; cursor?: string; limit: number }): Promise<Listing<Thread>>;
  getInteraction(by: { orgId: string; id: string }): Promise<Interaction | undefined>;
  listInteractions(by: InteractionFilter & { orgId: string; limit: number }): Promise<Listing<Interaction>>;
  getMessage(by: { orgId: string; id: string }): Promise<Message | undefined>;
  getGrant(by: { orgId: string; id: string }): Promise<Grant | undefined>;
  /** Open grants with this key for the org, this thread or this run, and not past their time; newest first. */
  findGrants(by: GrantPlace & { limit: number }): Promise<Grant[]>;
  listGrants(by: { orgId: string; key?: string; cursor?: string; limit: number }): Promise<Listing<Grant>>;
  getSecrets(by: { orgId: string; interactionId: string }): Promise<FreeObject | undefined>;
  findIdempotency(by: { orgId: string; key: string }): Promise<IdempotencyRecord | undefined>;
  getOrg(by: { id: string }): Promise<Org | undefined>;
  findApiKey(by: { hash: string }): Promise<StoredApiKey | undefined>;
  getApiKey(by: { orgId: string; id: string }): Promise<StoredApiKey | undefined>;
  listApiKeys(by: { orgId: string; cursor?: string; limit: number }): Promise<Listing<ApiKey>>;

  readLog(by: { orgId: string; threadId: string; after: number; limit: number }): Promise<LogEvent[]>;
  /** Events after a cursor, in log order. A cursor no event could have is refused with invalid-cursor. */
  readEvents(by: EventFilter & { orgId: string; after: string; limit: number }): Promise<LogEvent[]>;
  /** The cursor of the newest event of all; reading after it gives only what is committed later. */
  headCursor(): Promise<string>;

  /**
   * Takes on pending interactions whose deadline is at or before `now`, the earliest first. Nobody else gets them for
   * `forMs`; one that is still pending then, because whoever took it on is gone, is due again.
   */
  claimDue(by: { now: number; limit: number; forMs: number }): Promise<{ orgId: string; id: string }[]>;
  /** When the next deadline, or the next claim of one, is due. */
  nextDueAt(): Promise<number | undefined>;

  /** A value every node shares; the first to offer one settles it. */
  settleMeta(by: { key: string; value: string }): Promise<string>;
  /** Rejects where the store cannot take a write. */
  checkReady(): Promise<void>;
  /** Finishes what is under way, then lets go of everything. */
  close(): Promise<void>;
}

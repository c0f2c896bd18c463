/** The port: a store saves changes and reads records. It knows no rule. `store.contract.ts` has its promises. */
import type {
  ApiKey,
  CountedInteractions,
  Delivery,
  DeliveryStatus,
  EphemeralEvent,
  EventFilter,
  EventType,
  FreeObject,
  Grant,
  GrantCoverage,
  Interaction,
  InteractionCount,
  InteractionFilter,
  JournalEntry,
  LogEvent,
  Message,
  Run,
  RunStatus,
  Status,
  Thread,
} from '@holdpoint/protocol';
import type { NewEvent } from '../domain/command.ts';
import type { Document, DocumentChange, DocumentType } from './documents.ts';

/** Everything that one verb changes. The store saves all of it in one transaction, or nothing. */
export interface Change {
  orgId: string;
  newOrg?: Org;
  newThread?: Thread;
  /** A conflict if another version is stored. */
  changedThread?: { record: Thread; expectedVersion: number };
  newMessage?: Message;
  /** Not compared with the stored message. The rest of the change has the conditions. */
  changedMessage?: Message;
  /** `expectedVersion` 0 means that the interaction is new. */
  interaction?: {
    record: Interaction;
    expectedVersion: number;
    /** Earlier assignees that the record no longer has. */
    unassigned?: readonly string[];
  };
  /** `expectedVersion` 0 means that the run is new. A conflict if the thread has another running or waiting run. */
  run?: { record: Run; expectedVersion: number };
  /** Appended to the journal of the changed run. */
  newEntries?: readonly JournalEntry[];
  newGrant?: Grant;
  /** Closes an open grant. A conflict if it is already closed. */
  closedGrant?: Grant;
  newSecrets?: { interactionId: string; values: FreeObject };
  /** Removes the secrets. A conflict if they are already removed. */
  takenSecrets?: { interactionId: string };
  newApiKey?: StoredApiKey;
  /** A conflict if the stored record is not the expected one. */
  changedApiKey?: StoredApiKey & { expected: ApiKey };
  documents?: readonly DocumentChange[];
  timers?: readonly TimerChange[];
  newDeliveries?: readonly Delivery[];
  changedDeliveries?: readonly DeliveryChange[];
  log?: { threadId: string; events: readonly NewEvent[] };
  idempotency?: IdempotencyRecord;
}

interface Org {
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
  resource: {
    type:
      | 'thread'
      | 'message'
      | 'interaction'
      | 'grant'
      | 'api-key'
      | 'org'
      | 'batch'
      | 'dispatch-settings'
      | 'webhook'
      | 'delivery'
      | 'run'
      | 'person'
      | 'group'
      | 'identity-provider';
    id: string;
  };
}

export interface DeliveryChange {
  record: Delivery;
  /** A delivery with another stored status is not changed, because another change was faster. That is no conflict. */
  from: DeliveryStatus;
}

/**
 * The kinds of timers: the due times of interactions, the thread queues, the leases of webhooks and input readers, streamed
 * messages that may have stopped, sleeping runs, files, drafts and sessions to delete, callbacks to send, deactivated people
 * to remove from questions. The queues of each agent have a kind of their own, under an earlier name, so that a claim for
 * one agent finds no others. cspell:ignore lane
 */
export type TimerKind =
  | 'interaction'
  | 'lane'
  | `lane ${string}`
  | 'webhook'
  | 'dispatch'
  | 'stream'
  | 'run'
  | 'file'
  | 'draft'
  | 'callback'
  | 'access'
  | 'person';

export interface TimerChange {
  kind: TimerKind;
  id: string;
  /** null removes the timer. */
  dueAt: number | null;
}

/** A claimed timer. No other claim gets it before `until`. */
export interface Claim {
  kind: TimerKind;
  orgId: string;
  id: string;
  until: number;
}

/** The part of an event that wakes its readers. */
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

/** An event that is delivered to current listeners and stored nowhere. */
export type PublishedEvent =
  | (EphemeralEvent & { orgId: string })
  /** The reply to a form that another node sent to an MCP client. It is sent to no follower of the log. */
  | { orgId: string; type: 'mcp.form-reply'; data: FreeObject };

/** Largest event that may be published, in bytes of JSON. PostgreSQL carries 8,000. */
export const maxPublishedBytes = 7_500;

/** The status of a question and how it ended, without its content. */
export interface Outcome {
  id: string;
  status: Status;
  isDeclined: boolean;
  /** Time until a responder answered. Missing if no responder did. */
  waitMs?: number;
}

/** A page. It may be short or empty although more items follow. Only a page without `next` is the last one (L20). */
export interface Listing<T> {
  items: T[];
  next?: string;
}

interface Page {
  orgId: string;
  cursor?: string;
  limit: number;
}

interface OrderedPage extends Page {
  order: 'oldest' | 'newest';
}

/** Selects pending interactions that name any of these, each once. `anyPerson` selects those that any person may answer. */
export interface OfAssignees {
  assignees?: readonly string[];
}

/** Stands for all people where an interaction names no assignee. No id is empty. */
export const anyPerson = '';

export interface Store {
  /** Resolves when the change is on disk. If it cannot be saved, changes nothing and rejects with storage-unavailable. */
  commit(change: Change): Promise<Committed>;
  /** Calls the listener with the head of every later event of any node, once each, in log order, soon after its commit. */
  onCommitted(listener: (heads: readonly EventHead[]) => void): () => void;
  /** Calls the listener soon after commits of any node, once for several commits, and sometimes without a commit. */
  onWritten(listener: () => void): () => void;

  /** Sends an event to the listeners of every node, without waiting. An event that cannot be sent is lost; it never throws. */
  publish(event: PublishedEvent): void;
  /**
   * Calls the listener with every event that any node publishes, in the order of that node, and after the heads of all
   * events that were committed before.
   */
  onPublished(listener: (event: PublishedEvent) => void): () => void;

  getThread(by: { orgId: string; id: string }): Promise<Thread | undefined>;
  listThreads(by: Page): Promise<Listing<Thread>>;
  getInteraction(by: { orgId: string; id: string }): Promise<Interaction | undefined>;
  /** Returns the JSON of the interaction, for callers that pass it on unread. */
  getInteractionText(by: { orgId: string; id: string }): Promise<string | undefined>;
  listInteractions(
    by: InteractionFilter & Pick<InteractionCount, 'archived'> & OfAssignees & { orgId: string; limit: number },
  ): Promise<Listing<Interaction>>;
  /** Counts no further than the limit. */
  countInteractions(
    by: InteractionCount & OfAssignees & { orgId: string; limit: number },
  ): Promise<CountedInteractions>;
  /** Lists interactions from the first id up to, and without, the second, newest first. */
  listOutcomes(by: { orgId: string; from: string; before: string; limit: number }): Promise<Outcome[]>;
  getMessage(by: { orgId: string; id: string }): Promise<Message | undefined>;
  /** Lists by id, which is the order of creation. The other ordered lists do the same. */
  listMessages(by: OrderedPage & { threadId: string }): Promise<Listing<Message>>;
  getRun(by: { orgId: string; id: string }): Promise<Run | undefined>;
  listRuns(by: OrderedPage & { threadId?: string; status?: RunStatus; agent?: string }): Promise<Listing<Run>>;
  /** `next` is the index of the last entry. A full page has it, even if no entry follows. */
  readJournal(by: { orgId: string; runId: string; after: number; limit: number }): Promise<Listing<JournalEntry>>;
  getGrant(by: { orgId: string; id: string }): Promise<Grant | undefined>;
  /**
   * Returns open grants with this key and exactly this coverage, for the org, this thread or this run, that have not
   * expired; newest first.
   */
  findGrants(by: {
    orgId: string;
    key: string;
    covers: GrantCoverage;
    threadId: string;
    runId?: string;
    now: number;
    limit: number;
  }): Promise<Grant[]>;
  listGrants(by: Page & { key?: string }): Promise<Listing<Grant>>;
  getSecrets(by: { orgId: string; interactionId: string }): Promise<FreeObject | undefined>;
  findIdempotency(by: { orgId: string; key: string }): Promise<IdempotencyRecord | undefined>;
  getDocument<T extends DocumentType>(by: { orgId: string; type: T; id: string }): Promise<Document<T> | undefined>;
  findDocument<T extends DocumentType>(by: { orgId: string; type: T; alias: string }): Promise<Document<T> | undefined>;
  /** Lists by id. The cursor may be any text. */
  listDocuments<T extends DocumentType>(by: Page & { type: T }): Promise<Listing<Document<T>>>;
  getDelivery(by: { orgId: string; webhookId: string; id: string }): Promise<Delivery | undefined>;
  /** The cursor may be any id, also of no delivery. */
  listDeliveries(by: OrderedPage & { webhookId: string; status?: DeliveryStatus }): Promise<Listing<Delivery>>;
  getOrg(by: { id: string }): Promise<Org | undefined>;
  findApiKey(by: { hash: string }): Promise<StoredApiKey | undefined>;
  getApiKey(by: { orgId: string; id: string }): Promise<StoredApiKey | undefined>;
  listApiKeys(by: Page): Promise<Listing<ApiKey>>;

  /** `next` is the `seq` of the last event. A full page has it, even if no event follows. */
  readLog(by: { orgId: string; threadId: string; after: number; limit: number }): Promise<Listing<LogEvent>>;
  /**
   * Returns events after a cursor, in log order, and the cursor to continue from unless the end was reached. Rejects a
   * cursor that no event could have with invalid-cursor.
   */
  readEvents(by: EventFilter & { orgId: string; after: string; limit: number }): Promise<Listing<LogEvent>>;
  /** Returns the cursor of the newest event of all orgs. A read after it returns only later events. */
  headCursor(): Promise<string>;

  /**
   * Claims the timers that are due at `now`, the earliest first. No other claim gets them until `now + forMs`. Then they are
   * due again, unless a commit has moved them, because the node may have died. A timer that is further ahead than
   * `longestMs` was set by a wrong clock, and counts as due.
   */
  claimDue(by: {
    kind: TimerKind;
    orgId?: string;
    now: number;
    limit: number;
    forMs: number;
    longestMs?: number;
  }): Promise<Claim[]>;
  /** Moves the end of claims, to keep them or to give them back. Returns those that were still held. */
  moveClaims(by: { claims: readonly Claim[]; until: number }): Promise<Claim[]>;
  /** Returns when the next timer is due, or the next claim ends. */
  nextDueAt(by: { kind: TimerKind; orgId?: string }): Promise<number | undefined>;

  /** Returns the value that all nodes share under this key: the first one that any node has passed. */
  getOrCreateMeta(by: { key: string; value: string }): Promise<string>;
  /** Rejects if the store cannot accept a write: the last one failed, or running writes are stuck. */
  checkReady(): Promise<void>;
  /** Number of changes that wait for a lock of another database session, while others are saved. */
  blockedWrites(): number;
  /** Finishes the calls under way, then releases all resources. */
  close(): Promise<void>;
}

/** The port: a store saves outcomes and reads records. It knows no rule; `store.contract.ts` says what it promises. */
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
  StoredFile,
  Thread,
} from '@holdpoint/protocol';
import type { StoredCallback } from '../domain/callbacks/callback.ts';
import type { NewEvent } from '../domain/command.ts';
import type { DispatchOverrides, ThreadQueue } from '../domain/dispatch/thread-queue.ts';
import type { StoredDraft } from '../domain/drafts.ts';
import type { MessageStream } from '../domain/message-stream.ts';
import type { StoredWebhook } from '../domain/webhooks/webhook.ts';

/** Everything one verb changes. It is saved whole, in one transaction, or not at all. */
export interface Change {
  orgId: string;
  newOrg?: Org;
  newThread?: Thread;
  /** A conflict where another version is stored. */
  changedThread?: { record: Thread; expectedVersion: number };
  newMessage?: Message;
  /** As it is now; what else is in the change says whether it may be. */
  changedMessage?: Message;
  /** `expectedVersion` 0 means that the interaction is new. */
  interaction?: { record: Interaction; expectedVersion: number };
  /** `expectedVersion` 0 means that the run is new; a conflict where the thread has another that is running or waiting. */
  run?: { record: Run; expectedVersion: number };
  /** Appended to the journal of the run that is changed. */
  newEntries?: readonly JournalEntry[];
  newGrant?: Grant;
  /** Closes an open grant; a conflict where it is closed already. */
  closedGrant?: Grant;
  newSecrets?: { interactionId: string; values: FreeObject };
  /** Removes the secrets; a conflict where they are gone already. */
  takenSecrets?: { interactionId: string };
  newApiKey?: StoredApiKey;
  /** A conflict where another record is stored than the expected one. */
  changedApiKey?: StoredApiKey & { expected: ApiKey };
  documents?: readonly DocumentChange[];
  timers?: readonly TimerChange[];
  newDeliveries?: readonly Delivery[];
  changedDeliveries?: readonly DeliveryChange[];
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
      | 'run';
    id: string;
  };
}

/** Records that are found by their id, and by nothing that is in them: each kind, and what its record is. */
export interface Documents {
  /** How far a reader of the log has come. */
  reader: { cursor: string };
  webhook: StoredWebhook;
  lane: ThreadQueue;
  'dispatch-settings': DispatchOverrides;
  /** What has come of a message that is being streamed, under the id of the message. */
  stream: MessageStream;
  file: StoredFile;
  /** One of the files of a thread, under an id by which they are listed. */
  'thread-file': { fileId: string };
  /** What a responder has entered so far. */
  draft: StoredDraft;
  /** Under the id of its interaction. */
  callback: StoredCallback;
}

export type DocumentType = keyof Documents;

/** A conflict where the revision that is stored is not the expected one. */
export type DocumentChange<T extends DocumentType = DocumentType> = {
  [Type in T]: {
    type: Type;
    id: string;
    /** null removes it. */
    record: Documents[Type] | null;
    /** null: there must be none yet. */
    expected: string | null;
    /** Another name to find it by, for as long as it has this record; one name is one document's. */
    alias?: string;
  };
}[T];

export interface Document<T extends DocumentType> {
  id: string;
  /** Changes with every change, and never comes back, even if the document is removed and made anew. */
  revision: string;
  record: Documents[T];
}

export interface DeliveryChange {
  record: Delivery;
  /** One that is stored with another status is left as it is: somebody was faster. That is no conflict. */
  from: DeliveryStatus;
}

/**
 * What falls due: a pending interaction, inputs that wait for a worker, a node's turn at a webhook or at an org's inputs,
 * a message whose stream may have dried up, a run that sleeps, a file or a draft that may be of no use any more, a callback to send. Queues of an agent's
 * threads have a kind of their own, so that whoever claims those finds no other.
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
  | 'callback';

export interface TimerChange {
  kind: TimerKind;
  id: string;
  /** null: never. */
  dueAt: number | null;
}

/** One who has taken on what is due; nobody else gets it until then. */
export interface Claim {
  kind: TimerKind;
  orgId: string;
  id: string;
  until: number;
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

/** An event that is delivered to current listeners and stored nowhere. */
export type PublishedEvent = (EphemeralEvent & { orgId: string }) | NodeMessage;

/** A message between nodes that no follower of the log sees. */
interface NodeMessage {
  orgId: string;
  /** What came of a form that another node sent to a client of MCP. */
  type: 'mcp.form-reply';
  data: FreeObject;
}

/** Largest event that may be published, in bytes of JSON. PostgreSQL carries 8,000. */
export const maxPublishedBytes = 7_500;

/** Where and when a question is asked, as far as it settles which grants may reach it. */
interface GrantPlace {
  orgId: string;
  key: string;
  covers: GrantCoverage;
  threadId: string;
  runId?: string;
  now: number;
}

/** How a question ended, or that it has not, without what it asked. */
export interface Outcome {
  id: string;
  status: Status;
  isDeclined: boolean;
  /** Until somebody answered; of what was answered so. */
  waitMs?: number;
}

/** A page. It may be short or empty although there are more; only a page without `next` is the last (L20). */
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

  /** Calls the listener soon after any node committed anything, and sometimes without cause. One call may stand for many commits. */
  onWritten(listener: () => void): () => void;

  /** Sends an event to the listeners of every node, without waiting. An event that cannot be sent is lost; it never throws. */
  publish(event: PublishedEvent): void;
  /**
   * Calls the listener with every event that any node publishes, in the order of that node, and after the heads of all
   * events that were committed before.
   */
  onPublished(listener: (event: PublishedEvent) => void): () => void;

  getThread(by: { orgId: string; id: string }): Promise<Thread | undefined>;
  listThreads(by: { orgId: string; cursor?: string; limit: number }): Promise<Listing<Thread>>;
  getInteraction(by: { orgId: string; id: string }): Promise<Interaction | undefined>;
  /** Its JSON, for who hands it on without a look. */
  getInteractionText(by: { orgId: string; id: string }): Promise<string | undefined>;
  listInteractions(by: InteractionFilter & { orgId: string; limit: number }): Promise<Listing<Interaction>>;
  /** Counts no further than the limit. */
  countInteractions(by: InteractionCount & { orgId: string; limit: number }): Promise<CountedInteractions>;
  /** Of interactions from one id on and before another, the newest first. */
  listOutcomes(by: { orgId: string; from: string; before: string; limit: number }): Promise<Outcome[]>;
  getMessage(by: { orgId: string; id: string }): Promise<Message | undefined>;
  /** In the order of ids, which is that of their making. */
  listMessages(by: {
    orgId: string;
    threadId: string;
    order: 'oldest' | 'newest';
    cursor?: string;
    limit: number;
  }): Promise<Listing<Message>>;
  getRun(by: { orgId: string; id: string }): Promise<Run | undefined>;
  /** In the order of ids, which is that of their making. */
  listRuns(by: {
    orgId: string;
    threadId?: string;
    status?: RunStatus;
    agent?: string;
    order: 'oldest' | 'newest';
    cursor?: string;
    limit: number;
  }): Promise<Listing<Run>>;
  /** `next` is the index of the last entry. A page that is full has it, also if it is the last. */
  readJournal(by: { orgId: string; runId: string; after: number; limit: number }): Promise<Listing<JournalEntry>>;
  getGrant(by: { orgId: string; id: string }): Promise<Grant | undefined>;
  /**
   * Returns open grants with this key and exactly this coverage, for the org, this thread or this run, that have not
   * expired; newest first.
   */
  findGrants(by: GrantPlace & { limit: number }): Promise<Grant[]>;
  listGrants(by: { orgId: string; key?: string; cursor?: string; limit: number }): Promise<Listing<Grant>>;
  getSecrets(by: { orgId: string; interactionId: string }): Promise<FreeObject | undefined>;
  findIdempotency(by: { orgId: string; key: string }): Promise<IdempotencyRecord | undefined>;
  getDocument<T extends DocumentType>(by: { orgId: string; type: T; id: string }): Promise<Document<T> | undefined>;
  findDocument<T extends DocumentType>(by: { orgId: string; type: T; alias: string }): Promise<Document<T> | undefined>;
  /** In the order of ids; a cursor may be any text. */
  listDocuments<T extends DocumentType>(by: {
    orgId: string;
    type: T;
    cursor?: string;
    limit: number;
  }): Promise<Listing<Document<T>>>;
  getDelivery(by: { orgId: string; webhookId: string; id: string }): Promise<Delivery | undefined>;
  /** In the order of ids, which is that of their making; a cursor may be any id, there or not. */
  listDeliveries(by: {
    orgId: string;
    webhookId: string;
    status?: DeliveryStatus;
    order: 'oldest' | 'newest';
    cursor?: string;
    limit: number;
  }): Promise<Listing<Delivery>>;
  getOrg(by: { id: string }): Promise<Org | undefined>;
  findApiKey(by: { hash: string }): Promise<StoredApiKey | undefined>;
  getApiKey(by: { orgId: string; id: string }): Promise<StoredApiKey | undefined>;
  listApiKeys(by: { orgId: string; cursor?: string; limit: number }): Promise<Listing<ApiKey>>;

  /** `next` is the `seq` of the last event. A page that is full has it, also if it is the last. */
  readLog(by: { orgId: string; threadId: string; after: number; limit: number }): Promise<Listing<LogEvent>>;
  /**
   * Returns events after a cursor, in log order, and the cursor to continue from unless the end was reached. Rejects a
   * cursor that no event could have with invalid-cursor.
   */
  readEvents(by: EventFilter & { orgId: string; after: string; limit: number }): Promise<Listing<LogEvent>>;
  /** The cursor of the newest event of all; reading after it gives only what is committed later. */
  headCursor(): Promise<string>;

  /**
   * Takes on what is due at or before `now`, the earliest first. Nobody else gets it until `now + forMs`; then it is due
   * again, unless a commit has moved its timer, because whoever took it on may be gone. A timer that is further ahead
   * than `longestMs` was set by a wrong clock, and counts as due.
   */
  claimDue(by: {
    kind: TimerKind;
    orgId?: string;
    now: number;
    limit: number;
    forMs: number;
    longestMs?: number;
  }): Promise<Claim[]>;
  /** Moves the end of claims, to keep them or to give them back. Gives those that were still held. */
  moveClaims(by: { claims: readonly Claim[]; until: number }): Promise<Claim[]>;
  /** When the next timer, or the next claim of one, is due. */
  nextDueAt(by: { kind: TimerKind; orgId?: string }): Promise<number | undefined>;

  /** A value every node shares; the first to offer one settles it. */
  getOrCreateMeta(by: { key: string; value: string }): Promise<string>;
  /** Rejects if the store cannot accept a write: the last one failed, or running writes are stuck. */
  checkReady(): Promise<void>;
  /** Number of changes that wait for a lock of another database session, while others are saved. */
  blockedWrites(): number;
  /** Finishes what is under way, then lets go of everything. */
  close(): Promise<void>;
}

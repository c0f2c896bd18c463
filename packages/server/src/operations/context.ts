/** What every operation is given: ports, a clock and ids. None of them is a concrete store or transport. */
import type { Attempt, Batch, EventFilter, Problem, Role, StopSignal } from '@holdpoint/protocol';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Caller, Reach } from '../domain/caller.ts';
import type { StoredWebhook } from '../domain/webhooks/webhook.ts';
import type { Store } from '../stores/store.ts';
import type { SearchedLogs } from './runs/searched-logs.ts';

export interface Context {
  store: Store;
  blobs: BlobStore;
  clock: Clock;
  newId(): string;
  waits: Waits;
  searchedLogs: SearchedLogs;
  tokens: ResponderTokens;
  streamTokens: StreamTokens;
  links: FileLinks;
  /** Where people reach the server; known once it listens, and undefined where there is none. */
  publicUrl(): string | undefined;
  dispatch: Dispatch;
  webhooks: Webhooks;
  callbacks: Callbacks;
  /** Set where a dialect calls the verbs. Only a dialect may write the original request of an interaction. */
  isDialect?: true;
  /** The dialect request that is being translated into verbs. Its content identifies a repeated request. */
  request?: { idempotencyKey: string; content: unknown };
}

export interface Clock {
  /** Milliseconds since 1970. It may jump; order never depends on it. */
  now(): number;
}

export interface Waits {
  /** From this moment on the waiter hears of every change of the topic: an interaction, by its id, or a thread's turn. */
  add(topic: string, waiter: Waiter): void;
  remove(topic: string, waiter: Waiter): void;
}

/** What is told of the runs of a thread. Ids of threads may be the same in two orgs, and as those of interactions. */
export const turnTopic = (orgId: string, threadId: string): string => `turn ${orgId} ${threadId}`;

export interface Waiter {
  change(): void;
  /** The server is stopping. */
  end(): void;
}

interface Dispatch {
  /** Resolves with the first batches that are ready, already leased, or with none when the time is up. */
  claim(wanted: WantedBatches): Promise<Batch[]>;
  /**
   * Orgs in which it has begun, as far as this node knows; it ends in none. The promise resolves once the inputs from before
   * the beginning are read.
   */
  begun: Map<string, Promise<void>>;
  /** The timer of an org is stored: from now on some node can read its inputs. Resolves as `begun` says, after 2 s at the latest. */
  begin(orgId: string): Promise<void>;
}

export interface WantedBatches {
  orgId: string;
  workerId: string;
  /** Whose queues; those of no agent, without it. */
  agents?: readonly string[];
  leaseMs: number;
  waitMs: number;
  limit: number;
  signal?: StopSignal;
}

export interface ResponderTokens {
  sign(claims: ResponderClaims): Promise<string>;
}

interface ResponderClaims {
  orgId: string;
  responderId: string;
  reach: Reach;
  expiresAt: number;
}

export interface StreamTokens {
  /** Throws if the key of the claims is no API key, such as that of a console session without one. */
  sign(claims: StreamClaims, expiresAt: number): Promise<string>;
}

/** The stream that a token opens, and the key that made the token. */
export interface StreamClaims {
  orgId: string;
  keyId: string;
  role: Role;
  filter: EventFilter;
  /** The cursor before which the stream cannot begin. */
  after: string;
  ephemeral: boolean;
}

/** Signatures of links to files. */
export interface FileLinks {
  sign(link: LinkClaims): string;
  isSignedBy(link: LinkClaims, signature: string): boolean;
}

export interface LinkClaims {
  orgId: string;
  fileId: string;
  /** In seconds since 1970. */
  expires: number;
}

interface Callbacks {
  /** What signs the callbacks of this key. */
  secretOf(key: Caller & { kind: 'key' }): string;
}

export interface Webhooks {
  /** Why no webhook may lead there, if so. */
  checkUrl(url: string, orgId: string): Promise<Problem | undefined>;
  /** One attempt with an event that is in no log. */
  test(webhook: StoredWebhook, orgId: string): Promise<Attempt>;
  /** A webhook was committed: whoever sends looks at once. */
  changed(): void;
}

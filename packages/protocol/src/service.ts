/** The verbs: one interface that every transport offers and every client can be written against. */
import type {
  ApiKey,
  CreateApiKey,
  CreatedApiKey,
  CreatedOrg,
  CreateOrg,
  CreateResponderToken,
  ResponderToken,
} from './access.ts';
import type { EventType, LogEvent } from './event.ts';
import type { FreeObject } from './free-json.ts';
import type { Grant } from './grant.ts';
import type {
  Cancel,
  CreateInteraction,
  Decline,
  Interaction,
  Status,
  SubmitAnswer,
  UpdateInteraction,
} from './interaction.ts';
import type { Kind } from './question.ts';
import type { CreateThread, Message, PostMessage, Thread } from './thread.ts';

export interface Page<T> {
  data: T[];
  /** Pass it as `cursor` for the next page; absent on the last. */
  next?: string;
}

export interface PageRequest {
  cursor?: string;
  limit?: number;
}

export interface InteractionFilter extends PageRequest {
  status?: Status;
  threadId?: string;
  kind?: Kind;
  runId?: string;
  order?: 'oldest' | 'newest';
}

export interface EventFilter {
  threadId?: string;
  interactionId?: string;
  types?: readonly EventType[];
}

/** A write repeated with the same key is done once; the repeat gets what the first made, as it stands now. */
export interface Write {
  idempotencyKey?: string;
}

/** What an AbortSignal is, in a package that knows neither the DOM nor Node. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface HoldpointService {
  createThread(input: CreateThread & Write): Promise<Thread>;
  getThread(input: { threadId: string }): Promise<Thread>;
  listThreads(input: PageRequest): Promise<Page<Thread>>;
  readLog(input: { threadId: string; after?: number; limit?: number }): Promise<Page<LogEvent>>;
  postMessage(input: { threadId: string } & PostMessage & Write): Promise<Message>;

  createInteraction(input: { threadId: string } & CreateInteraction & Write): Promise<Interaction>;
  getInteraction(input: { interactionId: string }): Promise<Interaction>;
  listInteractions(input: InteractionFilter): Promise<Page<Interaction>>;
  updateInteraction(input: { interactionId: string } & UpdateInteraction): Promise<Interaction>;
  submitAnswer(input: { interactionId: string } & SubmitAnswer & Write): Promise<Interaction>;
  declineInteraction(input: { interactionId: string } & Decline & Write): Promise<Interaction>;
  cancelInteraction(input: { interactionId: string } & Cancel & Write): Promise<Interaction>;
  /** Resolves when the interaction closes, or with it still pending when the time is up. */
  waitForInteraction(input: { interactionId: string; timeoutMs?: number; signal?: StopSignal }): Promise<Interaction>;
  /** Hands out the secret values of the answer, once. */
  takeSecrets(input: { interactionId: string } & Write): Promise<{ values: FreeObject }>;

  listGrants(input: PageRequest & { key?: string }): Promise<Page<Grant>>;
  revokeGrant(input: { grantId: string } & Write): Promise<Grant>;

  createApiKey(input: CreateApiKey & Write): Promise<CreatedApiKey>;
  listApiKeys(input: PageRequest): Promise<Page<ApiKey>>;
  revokeApiKey(input: { keyId: string } & Write): Promise<ApiKey>;
  createOrg(input: CreateOrg & Write): Promise<CreatedOrg>;
  mintResponderToken(input: CreateResponderToken & Write): Promise<ResponderToken>;
}

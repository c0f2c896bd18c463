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
import type {
  Batch,
  ClaimBatches,
  CompleteBatch,
  DispatchSettings,
  FailBatch,
  Heartbeat,
  Lease,
  ReportTyping,
  UpdateDispatchSettings,
} from './dispatch.ts';
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
import type {
  AppendToMessage,
  CompleteMessage,
  CreateThread,
  Message,
  PostMessage,
  Thread,
  UpdateThread,
} from './thread.ts';
import type {
  Attempt,
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  DeliveryStatus,
  Replay,
  RotateSecret,
  UpdateWebhook,
  Webhook,
} from './webhook.ts';

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
  /** So many of those after the cursor are passed by. */
  offset?: number;
}

export type InteractionCount = Pick<InteractionFilter, 'status' | 'threadId' | 'kind' | 'runId'>;

export interface MessageFilter extends PageRequest {
  threadId: string;
  order?: 'oldest' | 'newest';
}

export interface EventFilter {
  threadId?: string;
  interactionId?: string;
  types?: readonly EventType[];
}

export interface DeliveryFilter extends PageRequest {
  webhookId: string;
  status?: DeliveryStatus;
  order?: 'oldest' | 'newest';
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
  updateThread(input: { threadId: string } & UpdateThread & Write): Promise<Thread>;
  readLog(input: { threadId: string; after?: number; limit?: number }): Promise<Page<LogEvent>>;
  postMessage(input: { threadId: string } & PostMessage & Write): Promise<Message>;
  /** One that is still streaming is told with what has come of it. */
  getMessage(input: { messageId: string }): Promise<Message>;
  listMessages(input: MessageFilter): Promise<Page<Message>>;
  appendToMessage(input: { messageId: string } & AppendToMessage): Promise<Message>;
  completeMessage(input: { messageId: string } & CompleteMessage & Write): Promise<Message>;
  cancelMessage(input: { messageId: string } & Write): Promise<Message>;

  createInteraction(input: { threadId: string } & CreateInteraction & Write): Promise<Interaction>;
  getInteraction(input: { interactionId: string }): Promise<Interaction>;
  listInteractions(input: InteractionFilter): Promise<Page<Interaction>>;
  /** Counts no further than `limits.counted`. */
  countInteractions(input: InteractionCount): Promise<{ count: number }>;
  updateInteraction(input: { interactionId: string } & UpdateInteraction): Promise<Interaction>;
  submitAnswer(input: { interactionId: string } & SubmitAnswer & Write): Promise<Interaction>;
  declineInteraction(input: { interactionId: string } & Decline & Write): Promise<Interaction>;
  cancelInteraction(input: { interactionId: string } & Cancel & Write): Promise<Interaction>;
  /** Resolves when the interaction closes, or with it still pending when the time is up. */
  waitForInteraction(input: { interactionId: string; timeoutMs?: number; signal?: StopSignal }): Promise<Interaction>;
  /** Hands out the secret values of the answer, once. */
  takeSecrets(input: { interactionId: string } & Write): Promise<{ values: FreeObject }>;

  createWebhook(input: CreateWebhook & Write): Promise<CreatedWebhook>;
  getWebhook(input: { webhookId: string }): Promise<Webhook>;
  listWebhooks(input: PageRequest): Promise<Page<Webhook>>;
  updateWebhook(input: { webhookId: string } & UpdateWebhook): Promise<Webhook>;
  deleteWebhook(input: { webhookId: string }): Promise<Webhook>;
  rotateWebhookSecret(input: { webhookId: string } & RotateSecret & Write): Promise<CreatedWebhook>;
  /** Makes one attempt with an event that is in no log, and says what came of it. */
  testWebhook(input: { webhookId: string }): Promise<Attempt>;
  listDeliveries(input: DeliveryFilter): Promise<Page<Delivery>>;
  getDelivery(input: { webhookId: string; deliveryId: string }): Promise<Delivery>;
  replayDelivery(input: { webhookId: string; deliveryId: string } & Write): Promise<Delivery>;
  /** Begins to send again what was made since a time; `isReplaying` until all of it is queued. */
  replayDeliveries(input: { webhookId: string } & Replay & Write): Promise<Webhook>;

  listGrants(input: PageRequest & { key?: string }): Promise<Page<Grant>>;
  revokeGrant(input: { grantId: string } & Write): Promise<Grant>;

  /** Resolves with the first batches that are ready, or with none when the time is up. */
  claimBatches(input: ClaimBatches & { signal?: StopSignal }): Promise<{ data: Batch[] }>;
  heartbeatBatch(input: { batchId: string } & Heartbeat): Promise<Lease>;
  completeBatch(input: { batchId: string } & CompleteBatch & Write): Promise<FreeObject>;
  failBatch(input: { batchId: string } & FailBatch & Write): Promise<FreeObject>;
  /** Those of the org, or those that hold in one thread. */
  getDispatchSettings(input: { threadId?: string }): Promise<DispatchSettings>;
  updateDispatchSettings(input: { threadId?: string } & UpdateDispatchSettings): Promise<DispatchSettings>;
  /** A person types, and what waits in the thread waits for them; or an agent, which holds nothing back. */
  reportTyping(input: { threadId: string } & ReportTyping): Promise<FreeObject>;

  createApiKey(input: CreateApiKey & Write): Promise<CreatedApiKey>;
  listApiKeys(input: PageRequest): Promise<Page<ApiKey>>;
  revokeApiKey(input: { keyId: string } & Write): Promise<ApiKey>;
  createOrg(input: CreateOrg & Write): Promise<CreatedOrg>;
  mintResponderToken(input: CreateResponderToken & Write): Promise<ResponderToken>;
}

/** The verbs: one interface that every transport offers and every client can be written against. */
import type {
  ApiKey,
  CreateApiKey,
  CreatedApiKey,
  CreatedOrg,
  CreateOrg,
  CreateResponderToken,
  ResponderToken,
  UpdateApiKey,
} from './access.ts';
import type { Callback, CallbackSecret } from './callback.ts';
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
import type { Draft, SaveDraft } from './draft.ts';
import type { EventType } from './event.ts';
import type { FileRef } from './fields/file-ref.ts';
import type { AttachFile, FileLink, LinkFile, OpenedFile, StoredFile, UploadFile } from './file.ts';
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
import type { LogEvent } from './log-event.ts';
import type { Overview, OverviewQuery } from './overview.ts';
import type { Kind } from './question.ts';
import type { AdvanceRun, BeginRun, BegunRun, CancelRun, JournalEntry, Run, RunStatus, Turn } from './run.ts';
import type { OpenSession, RecordedTelemetry, RecordTelemetry, Session } from './session.ts';
import type { CreateStreamToken, StreamToken } from './stream-token.ts';
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
  /** Pass it as `cursor` for the next page; absent on the last. A page may be short, or empty, and still have a next one. */
  next?: string;
}

export interface CountedInteractions {
  count: number;
  /** There may be more: the server stopped at `limits.counted`, or before it had examined all of them. */
  isPartial?: true;
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
  /** Only what this person was named to answer, and is pending. */
  assignee?: string;
  order?: 'oldest' | 'newest';
  /** So many of those after the cursor are passed by. */
  offset?: number;
}

export interface InteractionCount
  extends Pick<InteractionFilter, 'status' | 'threadId' | 'kind' | 'runId' | 'assignee'> {
  /** Only those of archived threads, or only those of the others. */
  archived?: 'true' | 'false';
}

export interface MessageFilter extends PageRequest {
  threadId: string;
  order?: 'oldest' | 'newest';
}

export interface RunFilter extends PageRequest {
  threadId?: string;
  status?: RunStatus;
  agent?: string;
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
  countInteractions(input: InteractionCount): Promise<CountedInteractions>;
  /** Sums up no more than the newest `limits.overviewInteractions` of the time. */
  getOverview(input: OverviewQuery): Promise<Overview>;
  updateInteraction(input: { interactionId: string } & UpdateInteraction): Promise<Interaction>;
  submitAnswer(input: { interactionId: string } & SubmitAnswer & Write): Promise<Interaction>;
  declineInteraction(input: { interactionId: string } & Decline & Write): Promise<Interaction>;
  cancelInteraction(input: { interactionId: string } & Cancel & Write): Promise<Interaction>;
  /** Keeps what the caller has entered so far, for this caller alone. */
  saveDraft(input: { interactionId: string } & SaveDraft): Promise<Draft>;
  getDraft(input: { interactionId: string }): Promise<Draft>;
  /** Resolves when the interaction closes, or with it still pending when the time is up. */
  waitForInteraction(input: { interactionId: string; timeoutMs?: number; signal?: StopSignal }): Promise<Interaction>;
  /** Hands out the secret values of the answer, once. */
  takeSecrets(input: { interactionId: string } & Write): Promise<{ values: FreeObject }>;
  /** What came of the callback of a question; for the key that asked, and for admins. */
  getCallback(input: { interactionId: string }): Promise<Callback>;
  /** What the callbacks of questions that this key asks are signed with. */
  getCallbackSecret(input: Record<never, never>): Promise<CallbackSecret>;

  /** Takes a file for a field, and gives what an answer carries as its value. */
  uploadFile(input: UploadFile): Promise<FileRef>;
  /** Takes a file into a thread, where no question asks for one. */
  attachFile(input: AttachFile): Promise<StoredFile>;
  /** Files that were attached to a thread, the newest first. */
  listFiles(input: { threadId: string } & PageRequest): Promise<Page<StoredFile>>;
  getFile(input: { fileId: string }): Promise<StoredFile>;
  /** Its bytes, or those from `from` up to, and without, `to`. */
  openFile(input: { fileId: string; from?: number; to?: number }): Promise<OpenedFile>;
  /** An address by which anybody may read it for a while. */
  linkFile(input: { fileId: string } & LinkFile): Promise<FileLink>;
  deleteFile(input: { fileId: string }): Promise<StoredFile>;

  /** What a worker does with a batch of a thread that has an agent: the run it is for goes on, or begins. */
  beginRun(input: { batchId: string } & BeginRun): Promise<BegunRun>;
  /** Saves how far a run has come; a conflict where somebody else has advanced it. */
  advanceRun(input: { runId: string } & AdvanceRun): Promise<Run>;
  getRun(input: { runId: string }): Promise<Run>;
  listRuns(input: RunFilter): Promise<Page<Run>>;
  readJournal(input: { runId: string; after?: number; limit?: number }): Promise<Page<JournalEntry>>;
  /** Ends it, and cancels the questions it waits for. */
  cancelRun(input: { runId: string } & CancelRun & Write): Promise<Run>;
  /** Does a run that has failed or was cancelled again, from the start, as another run. */
  restartRun(input: { runId: string } & Write): Promise<Run>;
  /** Resolves when all that was said and answered in the thread has been worked on, or with how it is when the time is up. */
  waitForTurn(input: { threadId: string; timeoutMs?: number; signal?: StopSignal }): Promise<Turn>;

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
  updateApiKey(input: { keyId: string } & UpdateApiKey): Promise<ApiKey>;
  revokeApiKey(input: { keyId: string } & Write): Promise<ApiKey>;
  createOrg(input: CreateOrg & Write): Promise<CreatedOrg>;
  mintResponderToken(input: CreateResponderToken & Write): Promise<ResponderToken>;
  /** Makes an address by which a browser's EventSource opens one event stream, for a few minutes. */
  mintStreamToken(input: CreateStreamToken): Promise<StreamToken>;
  /** What a public key does, and all that it does: a thread for one person of a page, whose origin it is. */
  openSession(input: OpenSession & { origin?: string }): Promise<Session>;
  /** Notes in the thread's log what a person did in a page. No agent hears of it. */
  recordTelemetry(input: { threadId: string } & RecordTelemetry): Promise<RecordedTelemetry>;
}

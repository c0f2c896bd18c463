/** The verbs in process, for one caller: what every transport calls. */
import type { HoldpointService } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { declineInteraction, submitAnswer } from './answer-interaction.ts';
import { createApiKey, listApiKeys, revokeApiKey, updateApiKey } from './api-keys.ts';
import { getCallback, getCallbackSecret } from './callbacks/callbacks.ts';
import { cancelInteraction } from './change-interaction.ts';
import type { Context } from './context.ts';
import { createInteraction } from './create-interaction.ts';
import { completeBatch, failBatch, heartbeatBatch } from './dispatch/batches.ts';
import { claimBatches } from './dispatch/claim-batches.ts';
import { getDispatchSettings, updateDispatchSettings } from './dispatch/dispatch-settings.ts';
import { reportTyping } from './dispatch/report-typing.ts';
import { getDraft, saveDraft } from './drafts.ts';
import { attachFile } from './files/attach-file.ts';
import { deleteFile } from './files/delete-files.ts';
import { getFile, linkFile, listFiles, openFile } from './files/read-files.ts';
import { uploadFile } from './files/upload-file.ts';
import { getOverview } from './get-overview.ts';
import { listGrants, revokeGrant } from './grants.ts';
import { countInteractions, getInteraction, listInteractions } from './interactions.ts';
import { appendToMessage, cancelMessage, completeMessage } from './message-streams.ts';
import { getMessage, listMessages, postMessage } from './messages.ts';
import { openSession } from './open-session.ts';
import { createOrg } from './orgs.ts';
import { recordTelemetry } from './record-telemetry.ts';
import { beginRun, restartRun } from './runs/begin-run.ts';
import { advanceRun, cancelRun } from './runs/change-run.ts';
import { getRun, listRuns, readJournal } from './runs/runs.ts';
import { waitForTurn } from './runs/wait-for-turn.ts';
import { takeSecrets } from './take-secrets.ts';
import { createThread, getThread, listThreads, readLog, updateThread } from './threads.ts';
import { mintResponderToken, mintStreamToken } from './tokens.ts';
import { updateInteraction } from './update-interaction.ts';
import { waitForInteraction } from './wait-for-interaction.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { getDelivery, listDeliveries, replayDeliveries, replayDelivery } from './webhooks/deliveries.ts';
import { updateWebhook } from './webhooks/update-webhook.ts';
import { deleteWebhook, getWebhook, listWebhooks, rotateWebhookSecret, testWebhook } from './webhooks/webhooks.ts';

type Operation<Verb extends keyof HoldpointService> = (
  context: Context,
  caller: Caller,
  input: Parameters<HoldpointService[Verb]>[0],
) => ReturnType<HoldpointService[Verb]>;

/** Every verb, and the operation that does it. */
const operations: { readonly [Verb in keyof HoldpointService]: Operation<Verb> } = {
  createThread,
  getThread,
  listThreads,
  updateThread,
  readLog,
  postMessage,
  getMessage,
  listMessages,
  appendToMessage,
  completeMessage,
  cancelMessage,
  createInteraction,
  getInteraction,
  listInteractions,
  countInteractions,
  getOverview,
  updateInteraction,
  submitAnswer,
  declineInteraction,
  cancelInteraction,
  waitForInteraction,
  saveDraft,
  getDraft,
  takeSecrets,
  getCallback,
  getCallbackSecret,
  uploadFile,
  attachFile,
  listFiles,
  getFile,
  openFile,
  linkFile,
  deleteFile,
  beginRun,
  advanceRun,
  getRun,
  listRuns,
  readJournal,
  cancelRun,
  restartRun,
  waitForTurn,
  createWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  replayDelivery,
  replayDeliveries,
  listGrants,
  revokeGrant,
  claimBatches,
  heartbeatBatch,
  completeBatch,
  failBatch,
  getDispatchSettings,
  updateDispatchSettings,
  reportTyping,
  createApiKey,
  listApiKeys,
  updateApiKey,
  revokeApiKey,
  createOrg,
  mintResponderToken,
  mintStreamToken,
  openSession,
  recordTelemetry,
};

/** One small object for each call: the verbs are on its prototype, made once out of the table. */
class CallerVerbs {
  readonly context: Context;
  readonly caller: Caller;

  constructor(context: Context, caller: Caller) {
    this.context = context;
    this.caller = caller;
  }
}

for (const [verb, operation] of Object.entries(operations) as [string, Operation<never>][])
  Object.defineProperty(CallerVerbs.prototype, verb, {
    value(this: CallerVerbs, input: never) {
      return operation(this.context, this.caller, input);
    },
  });

/** The service as one caller has it. */
export const callerService = (context: Context, caller: Caller): HoldpointService =>
  new CallerVerbs(context, caller) as unknown as HoldpointService;

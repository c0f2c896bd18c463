/** The verbs in process, for one caller: what every transport calls. */
import type { HoldpointService } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { appendToMessage } from './append-to-message.ts';
import { getCallback, getCallbackSecret } from './callbacks/callbacks.ts';
import { cancelInteraction } from './cancel-interaction.ts';
import { cancelMessage } from './cancel-message.ts';
import { completeMessage } from './complete-message.ts';
import type { Context } from './context.ts';
import { countInteractions } from './count-interactions.ts';
import { createApiKey } from './create-api-key.ts';
import { createInteraction } from './create-interaction.ts';
import { createOrg } from './create-org.ts';
import { createThread } from './create-thread.ts';
import { declineInteraction } from './decline-interaction.ts';
import { claimBatches } from './dispatch/claim-batches.ts';
import { completeBatch } from './dispatch/complete-batch.ts';
import { failBatch } from './dispatch/fail-batch.ts';
import { getDispatchSettings } from './dispatch/get-dispatch-settings.ts';
import { heartbeatBatch } from './dispatch/heartbeat-batch.ts';
import { reportTyping } from './dispatch/report-typing.ts';
import { updateDispatchSettings } from './dispatch/update-dispatch-settings.ts';
import { getDraft } from './drafts/get-draft.ts';
import { saveDraft } from './drafts/save-draft.ts';
import { attachFile } from './files/attach-file.ts';
import { deleteFile } from './files/delete-file.ts';
import { getFile } from './files/get-file.ts';
import { linkFile } from './files/link-file.ts';
import { listFiles } from './files/list-files.ts';
import { openFile } from './files/open-file.ts';
import { uploadFile } from './files/upload-file.ts';
import { getInteraction } from './get-interaction.ts';
import { getMessage } from './get-message.ts';
import { getOverview } from './get-overview.ts';
import { getThread } from './get-thread.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listGrants } from './list-grants.ts';
import { listInteractions } from './list-interactions.ts';
import { listMessages } from './list-messages.ts';
import { listThreads } from './list-threads.ts';
import { mintResponderToken } from './mint-responder-token.ts';
import { mintStreamToken } from './mint-stream-token.ts';
import { openSession } from './open-session.ts';
import { postMessage } from './post-message.ts';
import { readLog } from './read-log.ts';
import { recordTelemetry } from './record-telemetry.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { revokeGrant } from './revoke-grant.ts';
import { advanceRun } from './runs/advance-run.ts';
import { beginRun } from './runs/begin-run.ts';
import { cancelRun } from './runs/cancel-run.ts';
import { getRun } from './runs/get-run.ts';
import { listRuns } from './runs/list-runs.ts';
import { readJournal } from './runs/read-journal.ts';
import { restartRun } from './runs/restart-run.ts';
import { waitForTurn } from './runs/wait-for-turn.ts';
import { submitAnswer } from './submit-answer.ts';
import { takeSecrets } from './take-secrets.ts';
import { updateApiKey } from './update-api-key.ts';
import { updateInteraction } from './update-interaction.ts';
import { updateThread } from './update-thread.ts';
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

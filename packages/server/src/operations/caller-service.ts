/** The verbs in process, for one caller: what every transport calls. */
import type { HoldpointService } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { appendToMessage } from './append-to-message.ts';
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
import { deleteFile } from './files/delete-file.ts';
import { getFile } from './files/get-file.ts';
import { linkFile } from './files/link-file.ts';
import { openFile } from './files/open-file.ts';
import { uploadFile } from './files/upload-file.ts';
import { getInteraction } from './get-interaction.ts';
import { getMessage } from './get-message.ts';
import { getThread } from './get-thread.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listGrants } from './list-grants.ts';
import { listInteractions } from './list-interactions.ts';
import { listMessages } from './list-messages.ts';
import { listThreads } from './list-threads.ts';
import { mintResponderToken } from './mint-responder-token.ts';
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
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { getDelivery } from './webhooks/get-delivery.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { listDeliveries } from './webhooks/list-deliveries.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { replayDeliveries } from './webhooks/replay-deliveries.ts';
import { replayDelivery } from './webhooks/replay-delivery.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { testWebhook } from './webhooks/test-webhook.ts';
import { updateWebhook } from './webhooks/update-webhook.ts';

type Input<Verb extends keyof HoldpointService> = Parameters<HoldpointService[Verb]>[0];

export class CallerService implements HoldpointService {
  readonly #context: Context;
  readonly #caller: Caller;

  constructor(context: Context, caller: Caller) {
    this.#context = context;
    this.#caller = caller;
  }

  createThread(input: Input<'createThread'>) {
    return createThread(this.#context, this.#caller, input);
  }

  getThread(input: Input<'getThread'>) {
    return getThread(this.#context, this.#caller, input);
  }

  listThreads(input: Input<'listThreads'>) {
    return listThreads(this.#context, this.#caller, input);
  }

  updateThread(input: Input<'updateThread'>) {
    return updateThread(this.#context, this.#caller, input);
  }

  readLog(input: Input<'readLog'>) {
    return readLog(this.#context, this.#caller, input);
  }

  postMessage(input: Input<'postMessage'>) {
    return postMessage(this.#context, this.#caller, input);
  }

  getMessage(input: Input<'getMessage'>) {
    return getMessage(this.#context, this.#caller, input);
  }

  listMessages(input: Input<'listMessages'>) {
    return listMessages(this.#context, this.#caller, input);
  }

  appendToMessage(input: Input<'appendToMessage'>) {
    return appendToMessage(this.#context, this.#caller, input);
  }

  completeMessage(input: Input<'completeMessage'>) {
    return completeMessage(this.#context, this.#caller, input);
  }

  cancelMessage(input: Input<'cancelMessage'>) {
    return cancelMessage(this.#context, this.#caller, input);
  }

  createInteraction(input: Input<'createInteraction'>) {
    return createInteraction(this.#context, this.#caller, input);
  }

  getInteraction(input: Input<'getInteraction'>) {
    return getInteraction(this.#context, this.#caller, input);
  }

  listInteractions(input: Input<'listInteractions'>) {
    return listInteractions(this.#context, this.#caller, input);
  }

  countInteractions(input: Input<'countInteractions'>) {
    return countInteractions(this.#context, this.#caller, input);
  }

  updateInteraction(input: Input<'updateInteraction'>) {
    return updateInteraction(this.#context, this.#caller, input);
  }

  submitAnswer(input: Input<'submitAnswer'>) {
    return submitAnswer(this.#context, this.#caller, input);
  }

  declineInteraction(input: Input<'declineInteraction'>) {
    return declineInteraction(this.#context, this.#caller, input);
  }

  cancelInteraction(input: Input<'cancelInteraction'>) {
    return cancelInteraction(this.#context, this.#caller, input);
  }

  waitForInteraction(input: Input<'waitForInteraction'>) {
    return waitForInteraction(this.#context, this.#caller, input);
  }

  saveDraft(input: Input<'saveDraft'>) {
    return saveDraft(this.#context, this.#caller, input);
  }

  getDraft(input: Input<'getDraft'>) {
    return getDraft(this.#context, this.#caller, input);
  }

  takeSecrets(input: Input<'takeSecrets'>) {
    return takeSecrets(this.#context, this.#caller, input);
  }

  uploadFile(input: Input<'uploadFile'>) {
    return uploadFile(this.#context, this.#caller, input);
  }

  getFile(input: Input<'getFile'>) {
    return getFile(this.#context, this.#caller, input);
  }

  openFile(input: Input<'openFile'>) {
    return openFile(this.#context, this.#caller, input);
  }

  linkFile(input: Input<'linkFile'>) {
    return linkFile(this.#context, this.#caller, input);
  }

  deleteFile(input: Input<'deleteFile'>) {
    return deleteFile(this.#context, this.#caller, input);
  }

  beginRun(input: Input<'beginRun'>) {
    return beginRun(this.#context, this.#caller, input);
  }

  advanceRun(input: Input<'advanceRun'>) {
    return advanceRun(this.#context, this.#caller, input);
  }

  getRun(input: Input<'getRun'>) {
    return getRun(this.#context, this.#caller, input);
  }

  listRuns(input: Input<'listRuns'>) {
    return listRuns(this.#context, this.#caller, input);
  }

  readJournal(input: Input<'readJournal'>) {
    return readJournal(this.#context, this.#caller, input);
  }

  cancelRun(input: Input<'cancelRun'>) {
    return cancelRun(this.#context, this.#caller, input);
  }

  restartRun(input: Input<'restartRun'>) {
    return restartRun(this.#context, this.#caller, input);
  }

  waitForTurn(input: Input<'waitForTurn'>) {
    return waitForTurn(this.#context, this.#caller, input);
  }

  createWebhook(input: Input<'createWebhook'>) {
    return createWebhook(this.#context, this.#caller, input);
  }

  getWebhook(input: Input<'getWebhook'>) {
    return getWebhook(this.#context, this.#caller, input);
  }

  listWebhooks(input: Input<'listWebhooks'>) {
    return listWebhooks(this.#context, this.#caller, input);
  }

  updateWebhook(input: Input<'updateWebhook'>) {
    return updateWebhook(this.#context, this.#caller, input);
  }

  deleteWebhook(input: Input<'deleteWebhook'>) {
    return deleteWebhook(this.#context, this.#caller, input);
  }

  rotateWebhookSecret(input: Input<'rotateWebhookSecret'>) {
    return rotateWebhookSecret(this.#context, this.#caller, input);
  }

  testWebhook(input: Input<'testWebhook'>) {
    return testWebhook(this.#context, this.#caller, input);
  }

  listDeliveries(input: Input<'listDeliveries'>) {
    return listDeliveries(this.#context, this.#caller, input);
  }

  getDelivery(input: Input<'getDelivery'>) {
    return getDelivery(this.#context, this.#caller, input);
  }

  replayDelivery(input: Input<'replayDelivery'>) {
    return replayDelivery(this.#context, this.#caller, input);
  }

  replayDeliveries(input: Input<'replayDeliveries'>) {
    return replayDeliveries(this.#context, this.#caller, input);
  }

  listGrants(input: Input<'listGrants'>) {
    return listGrants(this.#context, this.#caller, input);
  }

  revokeGrant(input: Input<'revokeGrant'>) {
    return revokeGrant(this.#context, this.#caller, input);
  }

  claimBatches(input: Input<'claimBatches'>) {
    return claimBatches(this.#context, this.#caller, input);
  }

  heartbeatBatch(input: Input<'heartbeatBatch'>) {
    return heartbeatBatch(this.#context, this.#caller, input);
  }

  completeBatch(input: Input<'completeBatch'>) {
    return completeBatch(this.#context, this.#caller, input);
  }

  failBatch(input: Input<'failBatch'>) {
    return failBatch(this.#context, this.#caller, input);
  }

  getDispatchSettings(input: Input<'getDispatchSettings'>) {
    return getDispatchSettings(this.#context, this.#caller, input);
  }

  updateDispatchSettings(input: Input<'updateDispatchSettings'>) {
    return updateDispatchSettings(this.#context, this.#caller, input);
  }

  reportTyping(input: Input<'reportTyping'>) {
    return reportTyping(this.#context, this.#caller, input);
  }

  createApiKey(input: Input<'createApiKey'>) {
    return createApiKey(this.#context, this.#caller, input);
  }

  listApiKeys(input: Input<'listApiKeys'>) {
    return listApiKeys(this.#context, this.#caller, input);
  }

  updateApiKey(input: Input<'updateApiKey'>) {
    return updateApiKey(this.#context, this.#caller, input);
  }

  revokeApiKey(input: Input<'revokeApiKey'>) {
    return revokeApiKey(this.#context, this.#caller, input);
  }

  createOrg(input: Input<'createOrg'>) {
    return createOrg(this.#context, this.#caller, input);
  }

  mintResponderToken(input: Input<'mintResponderToken'>) {
    return mintResponderToken(this.#context, this.#caller, input);
  }

  openSession(input: Input<'openSession'>) {
    return openSession(this.#context, this.#caller, input);
  }

  recordTelemetry(input: Input<'recordTelemetry'>) {
    return recordTelemetry(this.#context, this.#caller, input);
  }
}

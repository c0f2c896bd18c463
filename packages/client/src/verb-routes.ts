/** Where each verb is found over HTTP. A test of the server holds this table against its own. */
import type { HoldpointService } from '@holdpoint/protocol';

export interface VerbRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Of several the first whose parameters are all given. */
  paths: readonly string[];
  /** Done twice it is as done once, so it may be sent again where nobody knows whether it has arrived. */
  isRepeatable: boolean;
  /** Properties of the input that go as headers of the same name. */
  inHeaders?: readonly string[];
}

const get = (...paths: string[]): VerbRoute => ({ method: 'GET', paths, isRepeatable: true });
/** Repeated only under an idempotency key. */
const post = (path: string): VerbRoute => ({ method: 'POST', paths: [path], isRepeatable: false });
const repeatablePost = (path: string): VerbRoute => ({ ...post(path), isRepeatable: true });
const patch = (...paths: string[]): VerbRoute => ({ method: 'PATCH', paths, isRepeatable: false });
const remove = (path: string): VerbRoute => ({ method: 'DELETE', paths: [path], isRepeatable: false });

const thread = '/v1/threads/:threadId';
const message = '/v1/messages/:messageId';
const interaction = '/v1/interactions/:interactionId';
const file = '/v1/files/:fileId';
const batch = '/v1/dispatch/batches/:batchId';
const run = '/v1/runs/:runId';
const webhook = '/v1/webhooks/:webhookId';
const delivery = `${webhook}/deliveries/:deliveryId`;

export const verbRoutes: Readonly<Record<keyof HoldpointService, VerbRoute>> = {
  createThread: post('/v1/threads'),
  getThread: get(thread),
  listThreads: get('/v1/threads'),
  updateThread: patch(thread),
  readLog: get(`${thread}/log`),
  postMessage: post(`${thread}/messages`),
  getMessage: get(message),
  listMessages: get(`${thread}/messages`),
  appendToMessage: post(`${message}/append`),
  completeMessage: post(`${message}/complete`),
  cancelMessage: post(`${message}/cancel`),

  createInteraction: post(`${thread}/interactions`),
  getInteraction: get(interaction),
  listInteractions: get('/v1/interactions'),
  countInteractions: get('/v1/interactions/count'),
  getOverview: get('/v1/overview'),
  updateInteraction: patch(interaction),
  submitAnswer: post(`${interaction}/answers`),
  declineInteraction: post(`${interaction}/decline`),
  cancelInteraction: post(`${interaction}/cancel`),
  waitForInteraction: get(`${interaction}/wait`),
  takeSecrets: post(`${interaction}/secrets`),

  saveDraft: repeatablePost(`${interaction}/draft`),
  getDraft: get(`${interaction}/draft`),

  uploadFile: post(`${interaction}/uploads`),
  getFile: get(file),
  openFile: get(`${file}/content`),
  linkFile: repeatablePost(`${file}/links`),
  deleteFile: remove(file),

  beginRun: repeatablePost(`${batch}/run`),
  advanceRun: repeatablePost(`${run}/advance`),
  getRun: get(run),
  listRuns: get('/v1/runs'),
  readJournal: get(`${run}/journal`),
  cancelRun: post(`${run}/cancel`),
  restartRun: post(`${run}/restart`),
  waitForTurn: get(`${thread}/turn`),

  createWebhook: post('/v1/webhooks'),
  getWebhook: get(webhook),
  listWebhooks: get('/v1/webhooks'),
  updateWebhook: patch(webhook),
  deleteWebhook: remove(webhook),
  rotateWebhookSecret: post(`${webhook}/rotate-secret`),
  testWebhook: post(`${webhook}/test`),
  listDeliveries: get(`${webhook}/deliveries`),
  getDelivery: get(delivery),
  replayDelivery: post(`${delivery}/replay`),
  replayDeliveries: post(`${webhook}/replay`),

  listGrants: get('/v1/grants'),
  revokeGrant: post('/v1/grants/:grantId/revoke'),

  claimBatches: repeatablePost('/v1/dispatch/claim'),
  heartbeatBatch: repeatablePost(`${batch}/heartbeat`),
  completeBatch: post(`${batch}/complete`),
  failBatch: post(`${batch}/fail`),
  getDispatchSettings: get(`${thread}/dispatch`, '/v1/dispatch'),
  updateDispatchSettings: patch(`${thread}/dispatch`, '/v1/dispatch'),
  reportTyping: repeatablePost(`${thread}/typing`),

  createApiKey: post('/v1/keys'),
  listApiKeys: get('/v1/keys'),
  updateApiKey: patch('/v1/keys/:keyId'),
  revokeApiKey: post('/v1/keys/:keyId/revoke'),
  createOrg: post('/v1/orgs'),
  mintResponderToken: post('/v1/responder-tokens'),
  openSession: { ...post('/v1/sessions'), inHeaders: ['origin'] },
  recordTelemetry: post(`${thread}/telemetry`),
};

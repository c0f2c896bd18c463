/**
 * The HTTP address of each verb, and whether a call may be repeated: the part of the verb table that a client needs.
 * The other part is in `verbs`. It is apart because its schemas would be a client's largest part.
 */
import type { AccessVerbs } from './verbs/access.ts';
import type { AdminEventVerbs } from './verbs/admin-events.ts';
import type { AnswerVerbs } from './verbs/answers.ts';
import type { AssignmentVerbs } from './verbs/assignment.ts';
import type { DispatchVerbs } from './verbs/dispatch.ts';
import type { EventVerbs } from './verbs/events.ts';
import type { FileVerbs } from './verbs/files.ts';
import type { GrantVerbs } from './verbs/grants.ts';
import type { GroupVerbs } from './verbs/groups.ts';
import type { IdentityProviderVerbs } from './verbs/identity-providers.ts';
import type { InteractionVerbs } from './verbs/interactions.ts';
import type { MessageVerbs } from './verbs/messages.ts';
import type { PeopleVerbs } from './verbs/people.ts';
import type { RunVerbs } from './verbs/runs.ts';
import type { SessionVerbs } from './verbs/sessions.ts';
import type { SettingsVerbs } from './verbs/settings.ts';
import type { ThreadVerbs } from './verbs/threads.ts';
import type { WebhookVerbs } from './verbs/webhooks.ts';

/** Every verb, as transports offer it and clients call it. */
export interface HoldpointService
  extends ThreadVerbs,
    MessageVerbs,
    InteractionVerbs,
    AnswerVerbs,
    AssignmentVerbs,
    FileVerbs,
    DispatchVerbs,
    RunVerbs,
    WebhookVerbs,
    GrantVerbs,
    AccessVerbs,
    PeopleVerbs,
    GroupVerbs,
    AdminEventVerbs,
    IdentityProviderVerbs,
    SessionVerbs,
    SettingsVerbs,
    EventVerbs {}

/** The name of a verb. */
export type VerbName = keyof HoldpointService;

/**
 * Whether a call may be sent again when the client does not know if it arrived.
 * always: a second call changes nothing. by-key: under an idempotency key; the client makes one if the caller gives none.
 * by-given-key: only under the caller's key, because the result shows a secret once and a repeat leaves it out.
 */
type Repeat = 'always' | 'by-key' | 'by-given-key' | 'never';

/** The HTTP address of a verb. */
export interface VerbAddress {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  repeat: Repeat;
  /** With two paths, the first is that of a thread and the second that of the org. */
  paths: readonly string[];
}

/** Without a word after the method, GET may be repeated always, POST by key, the others never. */
type Line = `${VerbAddress['method']}${'' | `:${Repeat}`} /${string}`;

const lines: Record<VerbName, Line> = {
  createThread: 'POST /v1/threads',
  getThread: 'GET /v1/threads/:threadId',
  listThreads: 'GET /v1/threads',
  updateThread: 'PATCH /v1/threads/:threadId',
  readLog: 'GET /v1/threads/:threadId/log',
  postMessage: 'POST /v1/threads/:threadId/messages',
  getMessage: 'GET /v1/messages/:messageId',
  listMessages: 'GET /v1/threads/:threadId/messages',
  appendToMessage: 'POST:never /v1/messages/:messageId/append',
  completeMessage: 'POST /v1/messages/:messageId/complete',
  cancelMessage: 'POST /v1/messages/:messageId/cancel',

  createInteraction: 'POST /v1/threads/:threadId/interactions',
  getInteraction: 'GET /v1/interactions/:interactionId',
  listInteractions: 'GET /v1/interactions',
  countInteractions: 'GET /v1/interactions/count',
  getOverview: 'GET /v1/overview',
  updateInteraction: 'PATCH /v1/interactions/:interactionId',
  submitAnswer: 'POST /v1/interactions/:interactionId/answers',
  declineInteraction: 'POST /v1/interactions/:interactionId/decline',
  cancelInteraction: 'POST /v1/interactions/:interactionId/cancel',
  waitForInteraction: 'GET /v1/interactions/:interactionId/wait',
  takeSecrets: 'POST:by-given-key /v1/interactions/:interactionId/secrets',

  claimInteraction: 'POST /v1/interactions/:interactionId/claim',
  releaseInteraction: 'POST /v1/interactions/:interactionId/release',
  reassignInteraction: 'POST /v1/interactions/:interactionId/reassign',
  delegateInteraction: 'POST /v1/interactions/:interactionId/delegate',
  reportViewing: 'POST:always /v1/interactions/:interactionId/viewing',

  getCallback: 'GET /v1/interactions/:interactionId/callback',
  getCallbackSecret: 'GET /v1/callback-secret',

  saveDraft: 'POST:always /v1/interactions/:interactionId/draft',
  getDraft: 'GET /v1/interactions/:interactionId/draft',

  uploadFile: 'POST:never /v1/interactions/:interactionId/uploads',
  attachFile: 'POST:never /v1/threads/:threadId/files',
  listFiles: 'GET /v1/threads/:threadId/files',
  getFile: 'GET /v1/files/:fileId',
  openFile: 'GET /v1/files/:fileId/content',
  linkFile: 'POST:always /v1/files/:fileId/links',
  deleteFile: 'DELETE /v1/files/:fileId',

  beginRun: 'POST:always /v1/dispatch/batches/:batchId/run',
  advanceRun: 'POST:always /v1/runs/:runId/advance',
  getRun: 'GET /v1/runs/:runId',
  listRuns: 'GET /v1/runs',
  readJournal: 'GET /v1/runs/:runId/journal',
  cancelRun: 'POST /v1/runs/:runId/cancel',
  restartRun: 'POST /v1/runs/:runId/restart',
  waitForTurn: 'GET /v1/threads/:threadId/turn',

  createWebhook: 'POST:by-given-key /v1/webhooks',
  getWebhook: 'GET /v1/webhooks/:webhookId',
  listWebhooks: 'GET /v1/webhooks',
  updateWebhook: 'PATCH /v1/webhooks/:webhookId',
  deleteWebhook: 'DELETE /v1/webhooks/:webhookId',
  rotateWebhookSecret: 'POST:by-given-key /v1/webhooks/:webhookId/rotate-secret',
  testWebhook: 'POST:never /v1/webhooks/:webhookId/test',
  listDeliveries: 'GET /v1/webhooks/:webhookId/deliveries',
  getDelivery: 'GET /v1/webhooks/:webhookId/deliveries/:deliveryId',
  replayDelivery: 'POST /v1/webhooks/:webhookId/deliveries/:deliveryId/replay',
  replayDeliveries: 'POST /v1/webhooks/:webhookId/replay',

  listGrants: 'GET /v1/grants',
  revokeGrant: 'POST /v1/grants/:grantId/revoke',

  claimBatches: 'POST:always /v1/dispatch/claim',
  heartbeatBatch: 'POST:always /v1/dispatch/batches/:batchId/heartbeat',
  completeBatch: 'POST /v1/dispatch/batches/:batchId/complete',
  failBatch: 'POST /v1/dispatch/batches/:batchId/fail',
  getDispatchSettings: 'GET /v1/threads/:threadId/dispatch /v1/dispatch',
  updateDispatchSettings: 'PATCH /v1/threads/:threadId/dispatch /v1/dispatch',
  reportTyping: 'POST:always /v1/threads/:threadId/typing',

  createApiKey: 'POST:by-given-key /v1/keys',
  listApiKeys: 'GET /v1/keys',
  updateApiKey: 'PATCH /v1/keys/:keyId',
  revokeApiKey: 'POST /v1/keys/:keyId/revoke',
  createOrg: 'POST:by-given-key /v1/orgs',

  getMe: 'GET /v1/me',
  createPerson: 'POST:by-given-key /v1/people',
  getPerson: 'GET /v1/people/:personId',
  listPeople: 'GET /v1/people',
  updatePerson: 'PATCH /v1/people/:personId',
  createSignInLink: 'POST:by-given-key /v1/sign-in-links',
  listPersonSessions: 'GET /v1/people/:personId/sessions',
  endPersonSession: 'DELETE /v1/people/:personId/sessions/:sessionId',
  removePasskey: 'DELETE /v1/people/:personId/passkeys/:passkeyId',
  createGroup: 'POST /v1/groups',
  listGroups: 'GET /v1/groups',
  updateGroup: 'PATCH /v1/groups/:groupId',
  deleteGroup: 'DELETE /v1/groups/:groupId',
  addGroupMember: 'POST:always /v1/groups/:groupId/members',
  removeGroupMember: 'DELETE /v1/groups/:groupId/members/:personId',

  createIdentityProvider: 'POST /v1/identity-providers',
  checkIdentityProvider: 'POST:always /v1/identity-providers/check',
  listIdentityProviders: 'GET /v1/identity-providers',
  updateIdentityProvider: 'PATCH /v1/identity-providers/:providerId',
  deleteIdentityProvider: 'DELETE /v1/identity-providers/:providerId',

  listAdminEvents: 'GET /v1/admin-events',
  exportAdminEvents: 'POST:always /v1/admin-events/export',

  getOrgSettings: 'GET /v1/settings',
  updateOrgSettings: 'PATCH /v1/settings',

  mintResponderToken: 'POST /v1/responder-tokens',
  mintStreamToken: 'POST:always /v1/stream-tokens',
  revokeResponderTokens: 'POST /v1/responder-tokens/revoke',
  openSession: 'POST:never /v1/sessions',
  recordTelemetry: 'POST:never /v1/threads/:threadId/telemetry',
};

function readLine(line: Line): VerbAddress {
  const [how, ...paths] = line.split(' ') as [string, ...string[]];
  const [method, repeat = { GET: 'always', POST: 'by-key' }[method] ?? 'never'] = how.split(':') as [string, string?];
  return { method, repeat, paths } as VerbAddress;
}

const entries = Object.entries(lines).map(([verb, line]) => [verb, readLine(line)]);
/** The address of every verb. */
export const verbTable: Readonly<Record<VerbName, VerbAddress>> = Object.fromEntries(entries);

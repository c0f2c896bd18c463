/** Who calls, what that lets them do, and in whose name they act. */
import type { Actor, Fault, Interaction, Role } from '@holdpoint/protocol';

export type Caller =
  | { kind: 'key'; orgId: string; keyId: string; role: Role }
  | { kind: 'responder'; orgId: string; responderId: string; reach: Reach };

/** A responder's token reaches one thread, or one interaction in it. */
export interface Reach {
  threadId: string;
  interactionId?: string;
}

type Standing = Role | 'thread-responder' | 'interaction-responder';

const everybody: readonly Standing[] = ['admin', 'agent', 'thread-responder', 'interaction-responder'];
const threadwide: readonly Standing[] = ['admin', 'agent', 'thread-responder'];
const keys: readonly Standing[] = ['admin', 'agent'];
const admins: readonly Standing[] = ['admin'];

export const rights = {
  createThread: keys,
  getThread: threadwide,
  listThreads: keys,
  updateThread: keys,
  readLog: threadwide,
  postMessage: threadwide,
  getMessage: threadwide,
  listMessages: threadwide,
  appendToMessage: keys,
  completeMessage: keys,
  cancelMessage: keys,
  createInteraction: keys,
  getInteraction: everybody,
  listInteractions: threadwide,
  countInteractions: threadwide,
  updateInteraction: keys,
  submitAnswer: everybody,
  declineInteraction: everybody,
  cancelInteraction: keys,
  waitForInteraction: everybody,
  takeSecrets: keys,
  createWebhook: admins,
  getWebhook: admins,
  listWebhooks: admins,
  updateWebhook: admins,
  deleteWebhook: admins,
  rotateWebhookSecret: admins,
  testWebhook: admins,
  listDeliveries: admins,
  getDelivery: admins,
  replayDelivery: admins,
  replayDeliveries: admins,
  listGrants: keys,
  revokeGrant: admins,
  openEvents: everybody,
  claimBatches: keys,
  heartbeatBatch: keys,
  completeBatch: keys,
  failBatch: keys,
  getDispatchSettings: keys,
  updateDispatchSettings: admins,
  reportTyping: threadwide,
  createApiKey: admins,
  listApiKeys: admins,
  revokeApiKey: admins,
  createOrg: admins,
  mintResponderToken: admins,
} as const satisfies Record<string, readonly Standing[]>;

export type Verb = keyof typeof rights;

function standing(caller: Caller): Standing {
  if (caller.kind === 'key') return caller.role;
  return caller.reach.interactionId === undefined ? 'thread-responder' : 'interaction-responder';
}

export function mayCall(caller: Caller, verb: Verb): Fault | undefined {
  const who = standing(caller);
  if (rights[verb].includes(who)) return undefined;
  return { code: 'forbidden', detail: `${verb} takes ${rights[verb].join(' or ')} rights; these are ${who} rights.` };
}

/** What a token does not reach does not exist for it. */
export function reachesThread(caller: Caller, threadId: string): boolean {
  return caller.kind === 'key' || caller.reach.threadId === threadId;
}

export function reachesInteraction(caller: Caller, { id, threadId }: Pick<Interaction, 'id' | 'threadId'>): boolean {
  if (caller.kind === 'key') return true;
  const { reach } = caller;
  return reach.threadId === threadId && (reach.interactionId === undefined || reach.interactionId === id);
}

/** In whose name a caller asks, posts and cancels. */
export function actorOf(caller: Caller): Actor {
  return caller.kind === 'key' ? { type: 'agent', id: caller.keyId } : { type: 'human', id: caller.responderId };
}

/**
 * In whose name a caller answers. Only an admin key may answer for somebody else: an agent that could would be able to
 * approve its own requests.
 */
export function responderOf(caller: Caller, named: Actor | undefined): Actor | Fault {
  if (caller.kind === 'key' && caller.role === 'admin') return named ?? { type: 'human', id: `key:${caller.keyId}` };
  const self = actorOf(caller);
  if (!named || (named.type === self.type && named.id === self.id)) return self;
  return { code: 'forbidden', detail: 'Only an admin key may answer for somebody else.' };
}

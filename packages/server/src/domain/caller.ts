/** Who calls, what that lets them do, and in whose name they act. */
import {
  type Actor,
  everybody,
  type Fault,
  type Interaction,
  type Rights,
  type Role,
  type StoredFile,
  sameActor,
  type VerbName,
  verbSpecs,
} from '@holdpoint/protocol';

export type Caller =
  | { kind: 'key'; orgId: string; keyId: string; role: Role }
  | { kind: 'responder'; orgId: string; responderId: string; reach: Reach };

/**
 * A responder's token reaches one thread, one interaction in it, or what waits for the person by name. That of a
 * session, which any visitor of a page can have, reaches its thread through the dialects for pages alone.
 */
export type Reach = { threadId: string; interactionId?: string; isSession?: true } | { inbox: true };

/** The id of the admin key from the configuration. */
export const configuredKeyId = 'admin';
/** Stands for whoever has the process: no key is stored, and none can be revoked. */
export const inProcessKeyId = 'in-process';

/** The rights that each verb takes. The event stream is no verb, because it returns no single result. */
const rights: Readonly<Record<Verb, readonly Rights[]>> = {
  ...(Object.fromEntries(Object.entries(verbSpecs).map(([verb, { callers }]) => [verb, callers])) as Record<
    VerbName,
    readonly Rights[]
  >),
  openEvents: everybody,
};

export type Verb = VerbName | 'openEvents';

function rightsOf(caller: Caller): Rights {
  if (caller.kind === 'key') return caller.role;
  if ('inbox' in caller.reach) return 'inbox-responder';
  if (caller.reach.isSession) return 'session';
  return caller.reach.interactionId === undefined ? 'thread-responder' : 'interaction-responder';
}

export const isSession = (caller: Caller): boolean => rightsOf(caller) === 'session';

export function mayCall(caller: Caller, verb: Verb): Fault | undefined {
  const own = rightsOf(caller);
  if (rights[verb].includes(own)) return undefined;
  return {
    code: 'forbidden',
    detail: `${verb} needs ${rights[verb].join(' or ')} rights. The caller has ${own} rights.`,
  };
}

export const isAdmin = (caller: Caller): boolean => rightsOf(caller) === 'admin';

/** What a token does not reach does not exist for it. */
export function reachesThread(caller: Caller, threadId: string): boolean {
  return caller.kind === 'key' || (!('inbox' in caller.reach) && caller.reach.threadId === threadId);
}

/** What belongs to a whole thread, and to no question in it, is not for whoever was given one question. */
export function reachesWholeThread(caller: Caller, threadId: string): boolean {
  if (caller.kind === 'key') return true;
  const { reach } = caller;
  return !('inbox' in reach) && reach.threadId === threadId && reach.interactionId === undefined && !reach.isSession;
}

export function reachesInteraction(
  caller: Caller,
  { id, threadId, responder }: Pick<Interaction, 'id' | 'threadId' | 'responder'>,
): boolean {
  if (caller.kind === 'key') return true;
  const { reach } = caller;
  if ('inbox' in reach) return responder.assignees?.includes(caller.responderId) ?? false;
  return reach.threadId === threadId && (reach.interactionId === undefined || reach.interactionId === id);
}

/** Staff may answer in a visitor's thread too. What they upload there is not for the visitor, so a session reads only its own. */
export const mayReadFileOf = (caller: Caller, { by }: Pick<StoredFile, 'by'>): boolean =>
  !isSession(caller) || sameActor(by, actorOf(caller));

/** In whose name a caller asks, posts and cancels. */
export function actorOf(caller: Caller): Actor {
  return caller.kind === 'key' ? { type: 'agent', id: caller.keyId } : { type: 'human', id: caller.responderId };
}

/** An address may hold a token, which other agents must not read. */
export const maySeeCallback = (caller: Caller, { createdBy }: Pick<Interaction, 'createdBy'>): boolean =>
  isAdmin(caller) || sameActor(createdBy, actorOf(caller));

/** Only the key that asked, or an admin key, may take secrets: the person gave them to this agent and to no other. */
export function mayTakeSecrets(caller: Caller, { createdBy }: Pick<Interaction, 'createdBy'>): Fault | undefined {
  if (isAdmin(caller) || sameActor(createdBy, actorOf(caller))) return undefined;
  return { code: 'forbidden', detail: 'Only the key that asked, or an admin key, may take the secrets of an answer.' };
}

/**
 * In whose name a caller answers. Only an admin key may answer for somebody else: an agent that could would be able to
 * approve its own requests.
 */
export function responderOf(caller: Caller, named: Actor | undefined): Actor | Fault {
  if (caller.kind === 'key' && isAdmin(caller)) return named ?? { type: 'human', id: `key:${caller.keyId}` };
  const self = actorOf(caller);
  if (!named || (named.type === self.type && named.id === self.id)) return self;
  return { code: 'forbidden', detail: 'Only an admin key may answer for somebody else.' };
}

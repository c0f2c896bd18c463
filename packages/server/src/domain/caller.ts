/** The caller of a verb: its rights, its scope, and the actor in whose name it acts. */
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
  | { kind: 'responder'; orgId: string; responderId: string; scope: TokenScope };

/**
 * The scope of a responder token: a thread, one interaction of it, or all pending interactions that name the person. Any
 * visitor of a page can have the token of a session, so that covers its thread only through the dialects for pages.
 */
export type TokenScope = { threadId: string; interactionId?: string; isSession?: true } | { inbox: true };

/** The id of the admin key from the configuration. */
export const configuredKeyId = 'admin';
/** The id of the caller inside the process. No key is stored for it, and none can be revoked. */
export const inProcessKeyId = 'in-process';

export type Verb = VerbName | 'openEvents';

/** The event stream is no verb, because it returns no single result. */
const rightsFor = (verb: Verb): readonly Rights[] => (verb === 'openEvents' ? everybody : verbSpecs[verb].callers);

function rightsOf(caller: Caller): Rights {
  if (caller.kind === 'key') return caller.role;
  if ('inbox' in caller.scope) return 'inbox-responder';
  if (caller.scope.isSession) return 'session';
  return caller.scope.interactionId === undefined ? 'thread-responder' : 'interaction-responder';
}

export const isSession = (caller: Caller): boolean => rightsOf(caller) === 'session';

export function mayCall(caller: Caller, verb: Verb): Fault | undefined {
  const own = rightsOf(caller);
  const needed = rightsFor(verb);
  if (needed.includes(own)) return undefined;
  return {
    code: 'forbidden',
    detail: `${verb} needs ${needed.join(' or ')} rights. The caller has ${own} rights.`,
  };
}

export const isAdmin = (caller: Caller): boolean => rightsOf(caller) === 'admin';

/** A thread outside the scope of a token does not exist for it. */
export function isThreadInScope(caller: Caller, threadId: string): boolean {
  return caller.kind === 'key' || (!('inbox' in caller.scope) && caller.scope.threadId === threadId);
}

/** Records of a whole thread, and of no question in it, are outside the scope of a token for one question. */
export function isWholeThreadInScope(caller: Caller, threadId: string): boolean {
  if (caller.kind === 'key') return true;
  const { scope } = caller;
  return !('inbox' in scope) && scope.threadId === threadId && scope.interactionId === undefined && !scope.isSession;
}

export function isInteractionInScope(
  caller: Caller,
  { id, threadId, responder }: Pick<Interaction, 'id' | 'threadId' | 'responder'>,
): boolean {
  if (caller.kind === 'key') return true;
  const { scope } = caller;
  if ('inbox' in scope) return responder.assignees?.includes(caller.responderId) ?? false;
  return scope.threadId === threadId && (scope.interactionId === undefined || scope.interactionId === id);
}

/** Staff may answer in the thread of a visitor too. The visitor must not see their uploads, so a session reads only its own. */
export const mayReadFileOf = (caller: Caller, { by }: Pick<StoredFile, 'by'>): boolean =>
  !isSession(caller) || sameActor(by, actorOf(caller));

/** Returns the actor in whose name a caller asks, posts and cancels. */
export function actorOf(caller: Caller): Actor {
  return caller.kind === 'key' ? { type: 'agent', id: caller.keyId } : { type: 'human', id: caller.responderId };
}

/**
 * Reports whether the caller is the requester or an admin key. No other agent may see the callback, whose address may
 * hold a token, or take the secrets, which the person gave to this agent alone.
 */
export const isRequesterOrAdmin = (caller: Caller, { createdBy }: Pick<Interaction, 'createdBy'>): boolean =>
  isAdmin(caller) || sameActor(createdBy, actorOf(caller));

/**
 * Returns the actor in whose name a caller answers. Only an admin key may answer for others: an agent that could do so
 * would approve its own requests.
 */
export function responderOf(caller: Caller, named?: Actor): Actor | Fault {
  if (caller.kind === 'key' && isAdmin(caller)) return named ?? { type: 'human', id: `key:${caller.keyId}` };
  const self = actorOf(caller);
  if (!named || sameActor(named, self)) return self;
  return { code: 'forbidden', detail: 'Only an admin key may answer for others.' };
}

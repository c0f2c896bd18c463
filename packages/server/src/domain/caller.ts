/** The caller of a verb: its rights, its scope, and the actor in whose name it acts. */
import {
  type Actor,
  type ActorRef,
  defined,
  everybody,
  type Fault,
  type Interaction,
  type Person,
  type Rights,
  type Role,
  type StoredFile,
  sameActor,
  type VerbName,
  type Via,
  verbSpecs,
} from '@holdpoint/protocol';
import { assigneesOf } from './people/person.ts';

export type Caller =
  | KeyCaller
  | PersonCaller
  | ({ kind: 'responder'; orgId: string; responderId: string; scope: TokenScope } & Issuers);

/** The key, or the people in sessions, that created the token or the sign-in link of a caller. */
export type Issuers = Pick<Actor, 'keyId' | 'issuedBy'>;

/** A program. A caller inside the server has the id of no stored key, and `isLocal`. */
interface KeyCaller {
  kind: 'key';
  orgId: string;
  keyId: string;
  role: Role;
  /** The name of the key. */
  name?: string;
  isLocal?: true;
}

/** A person who is active: in an open session, or by an MCP client. */
export interface PersonCaller extends Issuers {
  kind: 'person';
  orgId: string;
  person: Person;
  /** Absent for an MCP client, which is a program: it proves no sign-in. */
  sessionId?: string;
  /** How the person signed in. */
  via: Via;
}

/** A person in a session. */
export type SessionCaller = PersonCaller & { sessionId: string };

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
  if (caller.kind === 'person') return personRights(caller);
  if ('inbox' in caller.scope) return 'inbox-responder';
  if (caller.scope.isSession) return 'session';
  return caller.scope.interactionId === undefined ? 'thread-responder' : 'interaction-responder';
}

/** An admin who is also an auditor is an admin. A member who is also an auditor reads everything and answers. */
function personRights(caller: PersonCaller): Rights {
  const { roles } = caller.person;
  if (!roles.includes('admin') && !roles.includes('member')) return 'auditor';
  if (isClient(caller)) return 'client';
  return roles.includes('admin') ? 'admin' : 'member';
}

/** Reports whether the caller is the MCP client of a person. It asks and answers, and never administers. */
export const isClient = (caller: Caller): boolean => caller.kind === 'person' && caller.sessionId === undefined;

export const isSession = (caller: Caller): boolean => rightsOf(caller) === 'session';

const isAuditor = (caller: Caller): boolean => caller.kind === 'person' && caller.person.roles.includes('auditor');

export function mayCall(caller: Caller, verb: Verb): Fault | undefined {
  const own = rightsOf(caller);
  const needed = rightsFor(verb);
  if (needed.includes(own) || (isAuditor(caller) && needed.includes('auditor'))) return undefined;
  return {
    code: 'forbidden',
    detail: `${verb} needs ${needed.join(' or ')} rights. The caller has ${own} rights.`,
  };
}

export const isAdmin = (caller: Caller): boolean => rightsOf(caller) === 'admin';

/** Reports whether the caller may read every record of the org. The scope of all others is some threads or questions. */
export const seesWholeOrg = (caller: Caller): boolean =>
  caller.kind === 'key' ||
  (caller.kind === 'person' && caller.person.roles.some((role) => role === 'admin' || role === 'auditor'));

/** A thread outside the scope of a caller does not exist for it. */
export function isThreadInScope(caller: Caller, threadId: string): boolean {
  if (seesWholeOrg(caller)) return true;
  return caller.kind === 'responder' && !('inbox' in caller.scope) && caller.scope.threadId === threadId;
}

/** Records of a whole thread, and of no question in it, are outside the scope of a token for one question. */
export function isWholeThreadInScope(caller: Caller, threadId: string): boolean {
  if (seesWholeOrg(caller)) return true;
  if (caller.kind !== 'responder') return false;
  const { scope } = caller;
  return !('inbox' in scope) && scope.threadId === threadId && scope.interactionId === undefined && !scope.isSession;
}

/**
 * A member sees questions for them, for their groups and for anyone, and those that they answered. The client of a member
 * also sees those that the member asked by a client.
 */
export function isInteractionInScope(
  caller: Caller,
  {
    id,
    threadId,
    responder,
    votes,
    createdBy,
  }: Pick<Interaction, 'id' | 'threadId' | 'responder' | 'votes' | 'createdBy'>,
): boolean {
  if (seesWholeOrg(caller)) return true;
  if (caller.kind === 'person') {
    const names = assigneesOf(caller.person);
    if (isClient(caller) && sameActor(createdBy, actorOf(caller))) return true;
    if (votes.some(({ by }) => sameActor(by, actorOf(caller)))) return true;
    return responder.assignees?.some((assignee) => names.includes(assignee)) ?? isForPeople(responder);
  }
  if (caller.kind !== 'responder') return false;
  const { scope } = caller;
  if ('inbox' in scope) return responder.assignees?.includes(caller.responderId) ?? false;
  return scope.threadId === threadId && (scope.interactionId === undefined || scope.interactionId === id);
}

export const isForPeople = ({ type }: Interaction['responder']): boolean => type === 'human' || type === 'any';

/** Staff may answer in the thread of a visitor too. The visitor must not see their uploads, so a session reads only its own. */
export const mayReadFileOf = (caller: Caller, { by }: Pick<StoredFile, 'by'>): boolean =>
  !isSession(caller) || sameActor(by, actorOf(caller));

/** Returns the id of the key, the person or the responder. */
export function callerId(caller: Caller): string {
  if (caller.kind === 'key') return caller.keyId;
  return caller.kind === 'person' ? caller.person.id : caller.responderId;
}

/** Returns the actor in whose name a caller asks, posts and cancels. */
export function actorOf(caller: Caller): Actor {
  const [id, known] = [callerId(caller), identification(caller)];
  if (caller.kind === 'key') return { type: 'agent', id, ...known, ...defined({ name: caller.name }) };
  return { type: 'human', id, ...known, ...(caller.kind === 'person' ? { name: caller.person.name } : {}) };
}

/** Returns how the server identified a caller. */
export function identification(caller: Caller): Pick<Actor, 'via' | 'keyId' | 'issuedBy'> {
  if (caller.kind === 'key') return caller.isLocal ? { via: 'local' } : { via: 'key', keyId: caller.keyId };
  const { keyId, issuedBy } = caller;
  return { via: caller.kind === 'person' ? caller.via : 'token', ...defined({ keyId, issuedBy }) };
}

/** Returns who has a token or a sign-in link in their hands that this actor creates: the actor, and who created its own. */
export function issuersOf({ type, id, keyId, issuedBy = [] }: Actor): Issuers {
  const people = type === 'human' ? [id, ...issuedBy.filter((each) => each !== id)] : issuedBy;
  return defined({ keyId, issuedBy: people.length > 0 ? people : undefined });
}

/**
 * Reports whether the caller is the requester or an admin. No other agent may see the callback, whose address may
 * hold a token, or take the secrets, which the person gave to this agent alone.
 */
export const isRequesterOrAdmin = (caller: Caller, { createdBy }: Pick<Interaction, 'createdBy'>): boolean =>
  isAdmin(caller) || sameActor(createdBy, actorOf(caller));

/**
 * Returns the actor in whose name a caller answers. Only an admin key may answer for others: an agent that could do so
 * would approve its own requests. A person, even an admin, answers only as themselves.
 */
export function responderOf(caller: Caller, named?: ActorRef): Actor | Fault {
  const self = actorOf(caller);
  if (caller.kind === 'key' && isAdmin(caller)) {
    return { ...(named ?? { type: 'human', id: `key:${caller.keyId}` }), ...identification(caller) };
  }
  if (!named || sameActor(named, self)) return self;
  return { code: 'forbidden', detail: 'Only an admin key may answer for others.' };
}

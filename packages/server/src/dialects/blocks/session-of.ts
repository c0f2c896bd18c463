/** Whose session a call is of: a token that reaches one thread. A key, which reaches them all, says of none. */
import { fail } from '@holdpoint/protocol';

export interface SessionOf {
  threadId: string;
  responderId: string;
}

type Caller =
  | { kind: 'key' }
  | { kind: 'responder'; responderId: string; reach: { threadId: string; interactionId?: string } | { inbox: true } };

export function sessionOf(caller: Caller): SessionOf {
  if (caller.kind === 'responder' && 'threadId' in caller.reach && caller.reach.interactionId === undefined)
    return { threadId: caller.reach.threadId, responderId: caller.responderId };
  return fail('unauthenticated', 'Send the session token of POST /chat/sessions.');
}

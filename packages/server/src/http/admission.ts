/** Lets callers in before anything of their body is read: who they are, and whether they call too often. */
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../domain/caller.ts';
import type { Authenticator } from './authenticate.ts';

export interface Admission {
  /** A hook: throws where the caller is unknown or calls too often. */
  admit(request: FastifyRequest): Promise<void>;
  callerOf(request: FastifyRequest): Caller;
  /** Whether the caller of a long answer would still be let in: keys are revoked and tokens expire meanwhile. */
  isStillAdmitted(request: FastifyRequest): Promise<boolean>;
}

export function admission(authenticate: Authenticator, limit: (caller: Caller) => void): Admission {
  const callers = new WeakMap<FastifyRequest, Caller>();
  return {
    async admit(request) {
      const caller = await authenticate(request.headers.authorization);
      limit(caller);
      callers.set(request, caller);
    },
    callerOf(request) {
      const caller = callers.get(request);
      if (!caller) throw new Error('the route does not admit its callers');
      return caller;
    },
    isStillAdmitted: (request) =>
      authenticate(request.headers.authorization).then(
        () => true,
        () => false,
      ),
  };
}

/** Lets callers in before anything of their body is read: who they are, and whether they call too often. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import type { Caller } from '../domain/caller.ts';
import type { Authenticator } from './authenticate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set by `admit`. */
    caller: Caller | null;
  }
}

export interface Admission {
  /** A hook: refuses where the caller is unknown or calls too often. */
  admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void;
  callerOf(request: FastifyRequest): Caller;
  /** Whether the caller of a long answer would still be let in: keys are revoked and tokens expire meanwhile. */
  isStillAdmitted(request: FastifyRequest): Promise<boolean>;
}

export function admission(
  app: FastifyInstance,
  authenticate: Authenticator,
  limit: (caller: Caller) => void,
): Admission {
  app.decorateRequest('caller', null);
  return {
    admit(request, _reply, done) {
      const admitted = (caller: Caller): Error | undefined => {
        try {
          limit(caller);
        } catch (fault) {
          return fault as Error;
        }
        request.caller = caller;
        return undefined;
      };
      let caller: Caller | Promise<Caller>;
      try {
        caller = authenticate(request.headers.authorization);
      } catch (fault) {
        return done(fault as Error);
      }
      if (caller instanceof Promise) caller.then((known) => done(admitted(known)), done);
      else done(admitted(caller));
    },
    callerOf({ caller }) {
      if (!caller) throw new Error('the route does not admit its callers');
      return caller;
    },
    async isStillAdmitted(request) {
      try {
        await authenticate(request.headers.authorization);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Lets callers in before anything of their body is read: who they are, and whether they call too often. */
import { isObject } from '@holdpoint/protocol';
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
  /** The same for a key that stands in the body, by the name of the property; to be called once the body is read. */
  admitByBody(property: string): Admission['admit'];
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
  const admitBy = (authorization: string | undefined, request: FastifyRequest, done: HookHandlerDoneFunction): void => {
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
      caller = authenticate(authorization);
    } catch (fault) {
      done(fault as Error);
      return;
    }
    if (caller instanceof Promise) caller.then((known) => done(admitted(known)), done);
    else done(admitted(caller));
  };
  return {
    admit: (request, _reply, done) => admitBy(request.headers.authorization, request, done),
    admitByBody: (property) => (request, _reply, done) => {
      const key = isObject(request.body) ? request.body[property] : undefined;
      admitBy(typeof key === 'string' ? `Bearer ${key}` : undefined, request, done);
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

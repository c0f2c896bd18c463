/** Lets callers in before anything of their body is read: who they are, and whether they call too often. */
import { fail, HoldpointError, isObject, type Problem } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { type Caller, isSession } from '../../domain/caller.ts';
import { isPublicKey } from '../../operations/access/api-keys.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import { callerOfStream, type OpenedStream, type StreamTokenKeeper } from '../../signing/stream-tokens.ts';
import type { ConsoleSessions } from '../console/console-sessions.ts';
import { type BeginUpload, runningUploads } from '../files/running-uploads.ts';
import { streamTokenOf } from '../streams/event-source.ts';
import type { Authenticator } from './authenticate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set by `admit`. */
    caller: Caller | null;
    /** What the caller may follow and nothing else, if a stream token admitted them. */
    openedStream: OpenedStream | null;
  }
}

export interface Admission {
  /** A hook: refuses where the caller is unknown or calls too often. */
  admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void;
  /** The same for a public key that stands in the body, by the name of the property; to be called once the body is read. */
  admitByBody(property: string): Admission['admit'];
  callerOf(request: FastifyRequest): Caller;
  /** Whether the caller of a long answer would still be let in: keys are revoked and tokens expire meanwhile. */
  isStillAdmitted(request: FastifyRequest): Promise<boolean>;
  /** An upload has a place of its own among those that run. */
  beginUpload: BeginUpload;
}

export interface AdmissionOptions {
  authenticate: Authenticator;
  /** A session of the console is admitted in place of a key, on our own paths alone. */
  sessions: ConsoleSessions;
  /** A stream token in the address is admitted in place of a key, to the event stream alone. */
  streamTokens: Pick<StreamTokenKeeper, 'read' | 'isStanding'>;
  /** Throws where the caller calls too often; the address is that of the connection. */
  limit(caller: Caller, address: string): void;
  /** Whether a path is made for pages: a session is admitted nowhere else. */
  isForPages(path: string): boolean;
}

export function admission(app: FastifyInstance, options: AdmissionOptions): Admission {
  const { authenticate, sessions, streamTokens, limit, isForPages } = options;
  app.decorateRequest('caller', null);
  app.decorateRequest('openedStream', null);
  const identify = (request: FastifyRequest): Caller | Promise<Caller> => {
    const streamToken = streamTokenOf(request);
    if (streamToken !== undefined) return byStreamToken(request, streamToken);
    return isForTheConsole(request) && sessions.isCarriedBy(request)
      ? sessions.callerOf(request)
      : authenticate(request.headers.authorization);
  };
  async function byStreamToken(request: FastifyRequest, token: string): Promise<Caller> {
    if (request.headers.authorization !== undefined)
      fail('unauthenticated', 'Send the Authorization header or a stream token in the address, not both.');
    request.openedStream = await streamTokens.read(token);
    return callerOfStream(request.openedStream);
  }
  const admitAs = (
    whoIs: () => Caller | Promise<Caller>,
    request: FastifyRequest,
    done: HookHandlerDoneFunction,
  ): void => {
    const admitted = (caller: Caller): Error | undefined => {
      try {
        // By the route and not by what was sent, which could be written so that the two differ.
        if (isSession(caller) && !isForPages(request.routeOptions.url ?? ''))
          fail('forbidden', 'The token of a session is for the paths that are made for pages.');
        limit(caller, request.ip);
      } catch (fault) {
        return fault as Error;
      }
      request.caller = caller;
      return undefined;
    };
    let caller: Caller | Promise<Caller>;
    try {
      caller = whoIs();
    } catch (fault) {
      done(fault as Error);
      return;
    }
    if (caller instanceof Promise) caller.then((known) => done(admitted(known)), done);
    else done(admitted(caller));
  };
  return {
    beginUpload: runningUploads(),
    admit: (request, _reply, done) => admitAs(() => identify(request), request, done),
    admitByBody: (property) => (request, _reply, done) => {
      const key = isObject(request.body) ? request.body[property] : undefined;
      if (typeof key !== 'string') done(invalidInput([noKey(property)]));
      else if (isPublicKey(key)) admitAs(() => authenticate(`Bearer ${key}`), request, done);
      // Not even looked up: here no other key stands for anybody.
      else done(new HoldpointError({ code: 'unauthenticated', detail: 'This is no public key.' }));
    },
    callerOf({ caller }) {
      if (!caller) throw new Error('the route does not admit its callers');
      return caller;
    },
    async isStillAdmitted(request) {
      try {
        // A stream token is for opening: what it has opened stays open as long as the key behind it is valid.
        if (request.openedStream) return await streamTokens.isStanding(request.openedStream);
        await identify(request);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** By the route and not by what was sent; the paths of dialects and of MCP are for programs. */
const isForTheConsole = ({ routeOptions: { url = '' } }: FastifyRequest): boolean => /^\/(v1|console)\//.test(url);

const noKey = (property: string): Problem => ({
  pointer: `/${property}`,
  code: 'required',
  message: 'Send the public key.',
});

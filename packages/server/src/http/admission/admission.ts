/** Identifies callers and applies rate limits, before any part of a body is read. */
import { fail, HoldpointError, isObject } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { type Caller, configuredKeyId, isSession } from '../../domain/caller.ts';
import { hashApiKey, isPublicKey } from '../../operations/access/api-keys.ts';
import { operatorOrg } from '../../operations/access/orgs.ts';
import type { Clock } from '../../operations/context.ts';
import { invalidInput } from '../../operations/invalid-input.ts';
import { isPersonToken, type PersonTokens } from '../../signing/person-tokens.ts';
import { isResponderToken, type TokenKeeper } from '../../signing/responder-tokens.ts';
import { callerOfStream, type OpenedStream, type StreamTokenKeeper } from '../../signing/stream-tokens.ts';
import type { Store } from '../../stores/store.ts';
import type { ConsoleSessions } from '../console/console-sessions.ts';
import { type BeginUpload, runningUploads } from '../files/running-uploads.ts';
import { streamTokenOf } from './browser-requests.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `admit`. */
    caller: Caller | null;
    /** The only stream that the caller may open, if it has a stream token. */
    openedStream: OpenedStream | null;
  }
}

export interface Admission {
  /** A hook that rejects unknown callers and callers over their limit. */
  admit(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void;
  /** The same for a public key in this property of the body. A hook after the body is read. */
  admitByBody(property: string): Admission['admit'];
  callerOf(request: FastifyRequest): Caller;
  /** Returns the caller of a stream as they are now, or undefined: keys are revoked and tokens expire meanwhile. */
  currentCaller(request: FastifyRequest): Promise<Caller | undefined>;
  isStillAdmitted(request: FastifyRequest): Promise<boolean>;
  beginUpload: BeginUpload;
}

interface AdmissionOptions {
  authenticate: Authenticator;
  /** Identifies callers of /mcp, where people may use access tokens of identity providers. */
  mcp: { path: string; callerOf(request: FastifyRequest): Promise<Caller> };
  /** Admit a console session instead of a key, on our own paths only. */
  sessions: ConsoleSessions;
  /** Admit a stream token in the address instead of a key, to the event stream only. */
  streamTokens: Pick<StreamTokenKeeper, 'read' | 'isStanding'>;
  /** Throws if the caller is over its limit. The address is that of the connection. */
  limit(caller: Caller, address: string): void;
  /** Reports whether a path is open to pages. Sessions are admitted only there. */
  isForPages(path: string): boolean;
}

export function admission(app: FastifyInstance, options: AdmissionOptions): Admission {
  const { authenticate, mcp, sessions, streamTokens, limit, isForPages } = options;
  app.decorateRequest('caller', null);
  app.decorateRequest('openedStream', null);
  const callerFrom = (request: FastifyRequest): Caller | Promise<Caller> => {
    const streamToken = streamTokenOf(request);
    if (streamToken !== undefined) return byStreamToken(request, streamToken);
    if (request.routeOptions.url === mcp.path) return mcp.callerOf(request);
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
    identify: () => Caller | Promise<Caller>,
    request: FastifyRequest,
    done: HookHandlerDoneFunction,
  ): void => {
    const admitted = (caller: Caller): Error | undefined => {
      try {
        // Checks the route, because the sent path could be written in a way that differs from it.
        if (isSession(caller) && !isForPages(request.routeOptions.url ?? ''))
          fail('forbidden', 'The token of a session is valid only on paths that are open to pages.');
        limit(caller, request.ip);
      } catch (fault) {
        return fault as Error;
      }
      request.caller = caller;
      return undefined;
    };
    let caller: Caller | Promise<Caller>;
    try {
      caller = identify();
    } catch (fault) {
      done(fault as Error);
      return;
    }
    if (caller instanceof Promise) caller.then((known) => done(admitted(known)), done);
    else done(admitted(caller));
  };
  async function currentCaller(request: FastifyRequest): Promise<Caller | undefined> {
    try {
      const { openedStream } = request;
      if (!openedStream) return await callerFrom(request);
      // A stream token opens a stream, which stays open as long as the key of the token is valid.
      return (await streamTokens.isStanding(openedStream)) ? callerOfStream(openedStream) : undefined;
    } catch {
      return undefined;
    }
  }
  return {
    beginUpload: runningUploads(),
    admit: (request, _reply, done) => admitAs(() => callerFrom(request), request, done),
    admitByBody: (property) => (request, _reply, done) => {
      const key = isObject(request.body) ? request.body[property] : undefined;
      const missing = { pointer: `/${property}`, code: 'required', message: 'Send the public key.' };
      if (typeof key !== 'string') done(invalidInput([missing]));
      else if (isPublicKey(key)) admitAs(() => authenticate(`Bearer ${key}`), request, done);
      // Looks up no other key, because only public keys are accepted here.
      else done(new HoldpointError({ code: 'unauthenticated', detail: 'This is not a public key.' }));
    },
    callerOf({ caller }) {
      if (!caller) throw new Error('The route does not admit its callers.');
      return caller;
    },
    currentCaller,
    isStillAdmitted: async (request) => (await currentCaller(request)) !== undefined,
  };
}

/** Checks the route. The paths of dialects and of MCP are for programs. */
const isForTheConsole = ({ routeOptions: { url = '' } }: FastifyRequest): boolean => /^\/(v1|console)\//.test(url);

interface AuthenticatorOptions {
  store: Pick<Store, 'findApiKey'>;
  tokens: TokenKeeper;
  personTokens: PersonTokens;
  clock: Clock;
  /** An admin key of the operator's org that is not stored. It is valid as long as it is configured. */
  adminKey?: string;
}

/** All nodes reject a revoked key or token, and the end of a session, within this time. */
const cacheMs = 1_000;
const cacheSize = 10_000;

export const bearerOf = (authorization = ''): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/** Returns the caller of a known key without a promise, which would cost more than the look-up. Most calls have one. */
export type Authenticator = (authorization: string | undefined) => Caller | Promise<Caller>;

export function authenticator({ store, tokens, personTokens, clock, adminKey }: AuthenticatorOptions): Authenticator {
  const known = new Map<string, { caller: Caller; until: number }>();
  const adminHash = adminKey === undefined ? undefined : hashApiKey(adminKey);
  const admin: Caller = { kind: 'key', orgId: operatorOrg, keyId: configuredKeyId, role: 'admin' };

  return (authorization = '') => {
    const now = clock.now();
    const holder = known.get(authorization);
    if (holder && holder.until > now && holder.until <= now + cacheMs) return holder.caller;
    known.delete(authorization);
    const token = bearerOf(authorization);
    if (token === undefined) return fail('unauthenticated', 'Send "Authorization: Bearer <key or token>".');
    return holderOf(token);
  };

  /** Caches the caller under one form of the header. Otherwise one key in ten thousand forms would evict all others. */
  async function holderOf(token: string): Promise<Caller> {
    const isToken = isResponderToken(token) || isPersonToken(token);
    const caller = isToken ? await tokenHolder(token) : await keyHolder(token);
    const [oldest = ''] = known.keys();
    if (known.size >= cacheSize) known.delete(oldest);
    known.set(`Bearer ${token}`, { caller, until: clock.now() + cacheMs });
    return caller;
  }

  async function tokenHolder(token: string): Promise<Caller> {
    const keeper = isPersonToken(token) ? personTokens : tokens;
    const found = await keeper.verify(token);
    return found ?? fail('unauthenticated', 'The token is invalid, has expired, or was revoked.');
  }

  async function keyHolder(token: string): Promise<Caller> {
    const hash = hashApiKey(token);
    return hash === adminHash ? admin : storedKeyHolder(hash);
  }

  async function storedKeyHolder(hash: string): Promise<Caller> {
    const { orgId, record } = (await store.findApiKey({ hash })) ?? {};
    if (!orgId || !record || record.revokedAt)
      return fail('unauthenticated', 'The API key does not exist or was revoked.');
    return { kind: 'key', orgId, keyId: record.id, role: record.role, name: record.name };
  }
}

/** Console sessions: a browser session opened with an admin key, or without one by a user of this machine. */
import { defined, fail, HoldpointError } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Caller, configuredKeyId } from '../../domain/caller.ts';
import { operatorOrg } from '../../operations/access/orgs.ts';
import type { Clock } from '../../operations/context.ts';
import { serverSecret } from '../../signing/server-secret.ts';
import { type Session, sessionCookies, sessionSeconds } from '../../signing/session-cookie.ts';
import type { Store } from '../../stores/store.ts';
import { isEventSource } from '../admission/browser-requests.ts';
import { TokenBuckets } from '../admission/rate-limit.ts';
import { checkedBody } from '../requests/read-input.ts';
import { isLocal, isOfAnotherUser, isOfOwnPage } from './local-request.ts';

export interface ConsoleSessionsOptions {
  store: Pick<Store, 'getOrCreateMeta' | 'getApiKey'>;
  authenticate(authorization: string): Caller | Promise<Caller>;
  clock: Clock;
  adminKey?: string;
  publicUrl?: string;
  /** True if only this machine can reach the server. Then its users may sign in without a key. */
  isForThisMachine: boolean;
  /** Replaced by tests to simulate a machine with many users. */
  isOfAnotherUser?: typeof isOfAnotherUser;
}

export type ConsoleSessions = Awaited<ReturnType<typeof consoleSessions>>;

type SessionState =
  | { signedIn: true; orgId: string; isLocal: boolean; expiresAt: string }
  | { signedIn: false; mayEnter: boolean };

/** The key id of a session without a key. */
const localKeyId = 'console';
/** A page of another origin cannot send this header without a preflight, which the server rejects. */
const header = 'x-holdpoint-console';

/** All nodes sign with the same secret. The first node creates it. */
export async function consoleSessions(options: ConsoleSessionsOptions) {
  const { store, authenticate, clock, adminKey, publicUrl, isForThisMachine } = options;
  const { isOfAnotherUser: isOfOther = isOfAnotherUser } = options;
  const secret = await serverSecret(store, 'console-secret');
  const cookies = sessionCookies(secret, { isOnlyByHttps: publicUrl?.startsWith('https:') === true });
  const markOfAdminKey = adminKey === undefined ? undefined : cookies.markOf(adminKey);

  const isOfThisMachine = (request: FastifyRequest) => isForThisMachine && isLocal(request);
  const mayEnter = async (request: FastifyRequest) => isOfThisMachine(request) && !(await isOfOther(request.socket));
  const isOurs = (request: FastifyRequest) => isOfOwnPage(request, publicUrl);

  async function isStanding(request: FastifyRequest, session: Session): Promise<boolean> {
    const { orgId, keyId, expires, keyMark } = session;
    if (expires * 1000 <= clock.now()) return false;
    if (session.isLocal) return mayEnter(request);
    if (keyId === configuredKeyId) return keyMark !== undefined && keyMark === markOfAdminKey;
    const stored = await store.getApiKey({ orgId, id: keyId });
    return stored !== undefined && stored.record.revokedAt === undefined && stored.record.role === 'admin';
  }

  async function standing(request: FastifyRequest): Promise<Session | undefined> {
    const session = isOurs(request) ? cookies.read(request) : undefined;
    return session && (await isStanding(request, session)) ? session : undefined;
  }

  async function opened(request: FastifyRequest, key: string | undefined): Promise<Session> {
    const expires = Math.ceil(clock.now() / 1000) + sessionSeconds;
    if (key === undefined) {
      if (!(await mayEnter(request)))
        fail(
          'forbidden',
          'Signing in without a key is possible only on the machine of the server, and only if other machines cannot reach it.',
        );
      return { orgId: operatorOrg, keyId: localKeyId, isLocal: true, expires };
    }
    const given = key.trim();
    const caller = await authenticate(`Bearer ${given}`);
    if (caller.kind !== 'key' || caller.role !== 'admin')
      return fail('forbidden', 'The console needs an admin key. This key has another role.');
    const { orgId, keyId } = caller;
    const keyMark = keyId === configuredKeyId ? cookies.markOf(given) : undefined;
    return { orgId, keyId, isLocal: false, expires, ...defined({ keyMark }) };
  }

  return {
    /** True if the request has a session cookie instead of a key, and a header that only our own pages can send. */
    isCarriedBy: (request: FastifyRequest): boolean =>
      request.headers.authorization === undefined &&
      (request.headers[header] === '1' || isEventSource(request)) &&
      cookies.read(request) !== undefined,
    async callerOf(request: FastifyRequest): Promise<Caller> {
      if (!isOurs(request)) rejectForeign();
      const session = await standing(request);
      if (!session) return fail('unauthenticated', 'The session of the console has ended. Sign in again.');
      return { kind: 'key', orgId: session.orgId, keyId: session.keyId, role: 'admin' };
    },
    async describe(request: FastifyRequest): Promise<SessionState> {
      const session = await standing(request);
      return session ? stateOf(session) : { signedIn: false, mayEnter: await mayEnter(request) };
    },
    async open(request: FastifyRequest, reply: FastifyReply, key: string | undefined): Promise<SessionState> {
      rejectOthers(request);
      const session = await opened(request, key);
      reply.header('set-cookie', cookies.give(request, session));
      return stateOf(session);
    },
    close(request: FastifyRequest, reply: FastifyReply): void {
      rejectOthers(request);
      reply.header('set-cookie', cookies.clear(request));
    },
  };

  function rejectOthers(request: FastifyRequest): void {
    if (request.headers[header] !== '1') fail('forbidden', `Send the header ${header}: 1, as the console does.`);
    if (!isOurs(request)) rejectForeign();
  }
}

const rejectForeign = (): never =>
  fail(
    'forbidden',
    'The request does not come from a page of this server. Behind a proxy, start it with --public-url and the address that people open.',
  );

const stateOf = ({ orgId, isLocal, expires }: Session): SessionState => ({
  ...{ signedIn: true, orgId, isLocal },
  expiresAt: new Date(expires * 1000).toISOString(),
});

const path = '/console/session';
const strict = { additionalProperties: false };
const SignInSchema = Type.Object({ key: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })) }, strict);

/** Longer than any key. */
const bodyLimit = 8_192;
const wrongKeysPerMinute = 10;

export function addSessionRoutes(app: FastifyInstance, sessions: ConsoleSessions): void {
  const attempts = new TokenBuckets();
  app.get(path, async (request, reply) => {
    checkedBody(request);
    return unstored(reply).send(await sessions.describe(request));
  });
  app.post(path, { bodyLimit }, async (request, reply) => {
    const { key } = checkedBody(request, SignInSchema);
    const open = () => sessions.open(request, reply, key);
    return unstored(reply).send(await (key === undefined ? open() : countWrongKeys(request, open)));
  });
  app.delete(path, { bodyLimit }, async (request, reply) => {
    checkedBody(request);
    sessions.close(request, reply);
    return reply.code(204).send();
  });

  /**
   * A correct key is accepted after any number of wrong ones, because otherwise users of the same address could lock it
   * out.
   */
  async function countWrongKeys<T>(request: FastifyRequest, open: () => Promise<T>): Promise<T> {
    try {
      return await open();
    } catch (error) {
      if (isWrongKey(error)) attempts.take(wrongKeys(request));
      throw error;
    }
  }
}

const unstored = <R extends { header(name: string, value: string): R }>(reply: R): R =>
  reply.header('cache-control', 'no-store');

const isWrongKey = (error: unknown): boolean =>
  error instanceof HoldpointError && error.fault.code === 'unauthenticated';

const wrongKeys = ({ ip }: FastifyRequest) => ({
  name: ip,
  perSecond: wrongKeysPerMinute / 60,
  burst: wrongKeysPerMinute,
  words: `${wrongKeysPerMinute} wrong keys a minute from one address`,
});

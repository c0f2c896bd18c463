/** Sessions of people in a browser: opened by a link, carried by a cookie, and ended by signing out. */
import { defined, fail, HoldpointError, type Me } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { SessionCaller } from '../../domain/caller.ts';
import type { RelyingParty } from '../../domain/people/passkeys.ts';
import { sessionMs } from '../../domain/people/session.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../../operations/context.ts';
import { getMe } from '../../operations/people/get-me.ts';
import { endSessionUrl } from '../../operations/people/provider-logout.ts';
import { callerOfSession, endPersonSession, findSession } from '../../operations/people/sessions.ts';
import { describeLink, signInByLink } from '../../operations/people/sign-in-links.ts';
import type { PersonTokens } from '../../signing/person-tokens.ts';
import { sessionCookies } from '../../signing/session-cookie.ts';
import { isEventSource, isOfOwnPage } from '../admission/browser-requests.ts';
import { TokenBuckets } from '../admission/rate-limit.ts';
import { checkedBody } from '../requests/read-input.ts';
import { relyingPartyOf } from './relying-party.ts';

export interface ConsoleSessionsOptions {
  context: Context;
  personTokens: PersonTokens;
  publicUrl?: string;
}

export type ConsoleSessions = ReturnType<typeof consoleSessions>;

/** A page of another origin cannot send this header without a preflight, which the server rejects. */
const header = 'x-holdpoint-console';

/** All nodes accept a session that ended on another node for at most this time. */
const cacheMs = 1_000;
const cacheSize = 10_000;

export function consoleSessions({ context, personTokens, publicUrl }: ConsoleSessionsOptions) {
  const { clock } = context;
  const cookies = sessionCookies({ isOnlyByHttps: publicUrl?.startsWith('https:') === true });
  const known = new Map<string, { caller: SessionCaller; until: number }>();
  const isOurs = (request: FastifyRequest) => isOfOwnPage(request, publicUrl);

  function knownCaller(token: string): SessionCaller | undefined {
    const now = clock.now();
    const found = known.get(token);
    return found && found.until > now && found.until <= now + cacheMs ? found.caller : undefined;
  }

  async function callerOfToken(token: string): Promise<SessionCaller | undefined> {
    const found = knownCaller(token);
    if (found) return found;
    known.delete(token);
    const caller = await callerOfSession(context, token);
    if (!caller) return undefined;
    const [oldest = ''] = known.keys();
    if (known.size >= cacheSize) known.delete(oldest);
    known.set(token, { caller, until: clock.now() + cacheMs });
    return caller;
  }

  async function standing(request: FastifyRequest): Promise<{ caller: SessionCaller; token: string } | undefined> {
    for (const token of cookies.read(request)) {
      const caller = await callerOfToken(token);
      if (caller) return { caller, token };
    }
    return undefined;
  }

  /** Returns a known caller without a promise, as most calls have one. */
  function callerOf(request: FastifyRequest): SessionCaller | Promise<SessionCaller> {
    if (!isOurs(request)) rejectForeign();
    const [token = ''] = cookies.read(request);
    return knownCaller(token) ?? lookUpCaller(request);
  }

  async function lookUpCaller(request: FastifyRequest): Promise<SessionCaller> {
    const session = await standing(request);
    return session?.caller ?? fail('unauthenticated', 'The session has ended. Sign in again.');
  }

  async function providerOf({ orgId, person, sessionId }: SessionCaller) {
    const found = await findSession(context, { orgId, personId: person.id, sessionId });
    return found?.session.record.provider;
  }

  /** Ends the session that the browser had, so that a sign-in never continues an older session. */
  async function end(request: FastifyRequest): Promise<string[]> {
    const session = await standing(request);
    if (!session) return [];
    const { caller, token } = session;
    known.delete(token);
    await endPersonSession(context, caller, { personId: caller.person.id, sessionId: caller.sessionId }).catch(
      (error: unknown) => {
        if (!(error instanceof HoldpointError && error.code === 'session-not-found')) throw error;
      },
    );
    return [token];
  }

  return {
    /** True if the request has a session cookie instead of a key, and a header that only our own pages can send. */
    isCarriedBy: (request: FastifyRequest): boolean =>
      request.headers.authorization === undefined &&
      (request.headers[header] === '1' || isEventSource(request)) &&
      cookies.isSent(request),
    callerOf,
    async describe(request: FastifyRequest): Promise<SessionState> {
      // A page that loads shows the person as stored, so that a changed name does not return for a second.
      for (const token of cookies.read(request)) known.delete(token);
      const session = isOurs(request) ? await standing(request) : undefined;
      if (!session) return { signedIn: false };
      const me = await getMe(context, session.caller, {});
      return { signedIn: true, me, ...defined({ publicUrl: context.publicUrl() }) };
    },
    /** Gives the browser a new session, in place of the one it had. */
    async give(request: FastifyRequest, reply: FastifyReply, token: string): Promise<void> {
      await end(request);
      reply.header('set-cookie', cookies.give(request, token, sessionMs / 1000));
    },
    /** Returns the address at which the session at the identity provider ends too, if there is one. */
    async close(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
      const session = await standing(request);
      const provider = session && (await providerOf(session.caller));
      const tokens = await end(request);
      reply.header('set-cookie', cookies.clear(request, tokens));
      return session && provider && endSessionUrl(context, session.caller.orgId, provider);
    },
    /** Returns a token of the session, for the elements of the page. */
    async token(request: FastifyRequest): Promise<{ token: string; expiresAt: string }> {
      const { token, expiresAt } = await personTokens.sign(await callerOf(request));
      return { token, expiresAt: timestamp(expiresAt) };
    },
    /** Returns whose passkeys a page may use: those of the host name of its address. */
    relyingParty: (request: FastifyRequest): RelyingParty => relyingPartyOf(request, publicUrl),
    rejectOthers(request: FastifyRequest): void {
      if (request.headers[header] !== '1') fail('forbidden', `Send the header ${header}: 1, as the console does.`);
      if (!isOurs(request)) rejectForeign();
    },
  };
}

type SessionState = { signedIn: true; me: Me; publicUrl?: string } | { signedIn: false };

const rejectForeign = (): never =>
  fail(
    'forbidden',
    'The request does not come from a page of this server. Behind a proxy, start it with --public-url and the address that people open.',
  );

export const strict = { additionalProperties: false };
const Link = Type.String({ minLength: 1, maxLength: 1_024 });
const LinkSchema = Type.Object({ link: Link }, strict);
const SignInSchema = Type.Object(
  { link: Link, name: Type.Optional(Type.String({ maxLength: 256, pattern: '^[^\\x00-\\x1f\\x7f]*$' })) },
  strict,
);

export const bodyLimit = 8_192;
const wrongLinksPerMinute = 20;

export function addSessionRoutes(
  app: FastifyInstance,
  { context, sessions }: { context: Context; sessions: ConsoleSessions },
): void {
  const attempts = new TokenBuckets();
  const path = '/console/session';
  app.get(path, async (request, reply) => {
    checkedBody(request);
    return unstored(reply).send(await sessions.describe(request));
  });
  app.post(path, { bodyLimit }, async (request, reply) => {
    sessions.rejectOthers(request);
    const { link, name } = checkedBody(request, SignInSchema);
    const opened = await countWrongLinks(request, () =>
      signInByLink(context, { token: link, ...defined({ name }), userAgent: request.headers['user-agent'] }),
    );
    await sessions.give(request, reply, opened.token);
    return unstored(reply).send({ signedIn: true });
  });
  app.delete(path, { bodyLimit }, async (request, reply) => {
    sessions.rejectOthers(request);
    checkedBody(request);
    const endSessionUrl = await sessions.close(request, reply);
    return endSessionUrl === undefined ? reply.code(204).send() : unstored(reply).send({ endSessionUrl });
  });
  app.post('/console/sign-in-link', { bodyLimit }, async (request, reply) => {
    sessions.rejectOthers(request);
    const { link } = checkedBody(request, LinkSchema);
    return unstored(reply).send(await countWrongLinks(request, () => describeLink(context, link)));
  });
  app.post('/console/token', { bodyLimit }, async (request, reply) => {
    sessions.rejectOthers(request);
    checkedBody(request);
    return unstored(reply).send(await sessions.token(request));
  });

  /** A valid link is accepted after any number of wrong ones, because otherwise an attacker could lock people out. */
  async function countWrongLinks<T>(request: FastifyRequest, use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (error instanceof HoldpointError && error.code === 'link-used') attempts.take(wrongLinks(request));
      throw error;
    }
  }
}

export const unstored = <R extends { header(name: string, value: string): R }>(reply: R): R =>
  reply.header('cache-control', 'no-store');

const wrongLinks = ({ ip }: FastifyRequest) => ({
  name: ip,
  perSecond: wrongLinksPerMinute / 60,
  burst: wrongLinksPerMinute,
  words: `${wrongLinksPerMinute} wrong links a minute from one address`,
});

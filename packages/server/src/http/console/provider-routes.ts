/**
 * Routes of the sign-in with an identity provider. All but the list are for navigations of a browser, so they answer with
 * a redirect to our own page, where a failure has a code and never a text of the provider.
 */
import { HoldpointError, type SignInRefusal } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readProviderPath } from '../../domain/people/identity-provider.ts';
import { operatorOrg } from '../../operations/access/orgs.ts';
import type { Context, OwnedProvider, VerifiedSignIn } from '../../operations/context.ts';
import { findProvider, offeredProviders, urlsOf } from '../../operations/people/identity-providers.ts';
import { logOutByProvider } from '../../operations/people/provider-logout.ts';
import { recordFailedSignIn, signInByProvider, useOnce } from '../../operations/people/sign-in-by-provider.ts';
import { SignInRefused } from '../../operations/people/sign-in-refused.ts';
import type { SignInStates } from '../../signing/sign-in-states.ts';
import { networkOf, TokenBuckets } from '../admission/rate-limit.ts';
import type { ConsoleSessions } from './console-sessions.ts';

interface ProviderRoutes {
  context: Context;
  sessions: ConsoleSessions;
  states: SignInStates;
}

/** A whole office may have one address. */
const startsPerMinute = 300;
/** An attacker must not fill the admin log. */
const recordedPerMinute = { ofAddress: 10, ofAll: 100 };
const logoutBytes = 16_384;

export function addProviderRoutes(app: FastifyInstance, { context, sessions, states }: ProviderRoutes): void {
  const buckets = new TokenBuckets();

  app.get('/console/sign-in', async ({ query }, reply) => {
    const { org = operatorOrg } = query as { org?: unknown };
    const providers = typeof org === 'string' ? await offeredProviders(context, org) : [];
    return reply.header('cache-control', 'no-store').send({ providers });
  });

  app.get('/auth/:provider/start', async (request, reply) => {
    const { path, provider } = await providerOf(request);
    const elsewhere = publicStart(request);
    if (elsewhere !== undefined) return leadTo(reply, elsewhere);
    return attempt({ request, reply, provider }, async (known) => {
      if (!isAllowed(`start ${networkOf(request.ip)}`, startsPerMinute)) throw new SignInRefused('too-many-attempts');
      const { state, cookie } = await states.begin(request, { provider: path, to: wantedPage(request) });
      const url = await context.identityProviders.authorizationUrl(known, requestOf(known, state));
      reply.header('set-cookie', cookie);
      return url;
    });
  });

  app.get('/auth/:provider/callback', async (request, reply) => {
    const { path, provider } = await providerOf(request);
    return attempt({ request, reply, provider }, async (known, found) => {
      const search = searchOf(request);
      const begun = await states.read(request, path);
      const given = new URLSearchParams(search).getAll('state');
      // The cookie stays. Another site that sends the browser here must not end a sign-in that is under way.
      if (!begun || given.length !== 1 || given[0] !== begun.state) throw new SignInRefused('expired');
      reply.header('set-cookie', states.clear(request));
      if (!(await useOnce(context, known.orgId, ['state', begun.state]))) throw new SignInRefused('already-used');
      const verified = await context.identityProviders.finish(known, requestOf(known, begun.state), search);
      found(verified);
      const signedIn = await signInByProvider(context, known, { verified, userAgent: request.headers['user-agent'] });
      await sessions.give(request, reply, signedIn.token);
      return `/${begun.to}`;
    });
  });

  // The only route that reads a form. Its parser is for no other route.
  app.register(async (forms) => {
    const form = 'application/x-www-form-urlencoded';
    forms.addContentTypeParser(form, { parseAs: 'string', bodyLimit: logoutBytes }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    );
    forms.post('/auth/:provider/backchannel-logout', { bodyLimit: logoutBytes }, async (request, reply) => {
      const { provider } = await providerOf(request);
      const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : null;
      const isDone = provider !== undefined && token !== null && (await logOut(provider, token));
      reply.header('cache-control', 'no-store');
      return isDone ? reply.code(200).send() : reply.code(400).send({ error: 'invalid_request' });
    });
  });

  async function logOut(provider: OwnedProvider, token: string): Promise<boolean> {
    try {
      return await logOutByProvider(context, provider, token);
    } catch (error) {
      // The keys of the provider cannot be read, so its token cannot be checked.
      if (error instanceof SignInRefused) return false;
      throw error;
    }
  }

  interface Attempt {
    request: FastifyRequest;
    reply: FastifyReply;
    provider: OwnedProvider | undefined;
  }

  /** Leads the browser to the address that the step returns, or to the sign-in page with the reason of a failure. */
  async function attempt(
    { request, reply, provider }: Attempt,
    step: (provider: OwnedProvider, found: (verified: VerifiedSignIn) => void) => Promise<string>,
  ): Promise<FastifyReply> {
    if (!provider) return leadTo(reply, signInPage('unknown-provider'));
    let verified: VerifiedSignIn | undefined;
    try {
      const to = await step(provider, (found) => {
        verified = found;
      });
      return leadTo(reply, to);
    } catch (error) {
      if (!(error instanceof SignInRefused || error instanceof HoldpointError)) throw error;
      const reason = error instanceof SignInRefused ? error : new SignInRefused('failed', error.code);
      const { ofAddress, ofAll } = recordedPerMinute;
      if (isAllowed(`failed ${networkOf(request.ip)}`, ofAddress) && isAllowed('failed', ofAll))
        await recordFailedSignIn(context, provider, { reason, verified }).catch((cause: unknown) =>
          request.log.warn({ err: cause }, 'a failed sign-in could not be recorded'),
        );
      return leadTo(reply, signInPage(reason.reason));
    }
  }

  function isAllowed(name: string, perMinute: number): boolean {
    try {
      buckets.take({ name, perSecond: perMinute / 60, burst: perMinute, words: `${perMinute} a minute` });
      return true;
    } catch {
      return false;
    }
  }

  async function providerOf({ params }: FastifyRequest) {
    const { provider: path } = params as { provider: string };
    const { orgId, providerId } = readProviderPath(path, operatorOrg);
    return { path, provider: await findProvider(context, orgId, providerId) };
  }

  function requestOf({ orgId, settings }: OwnedProvider, state: string) {
    const { callbackUrl: redirectUri = '' } = urlsOf(context, orgId, settings.id) ?? {};
    return { redirectUri, state, ...states.secretsOf(state) };
  }

  /**
   * The provider leads back to the public address. A browser at another address of the server, such as localhost, begins
   * there again, because its cookie would not be sent. Once only: behind a proxy, the host may never be the public one.
   */
  function publicStart(request: FastifyRequest): string | undefined {
    const base = context.publicUrl();
    const { here } = request.query as { here?: unknown };
    if (base === undefined || here !== undefined || new URL(base).host === request.headers.host) return undefined;
    const { provider } = request.params as { provider: string };
    const query = new URLSearchParams({ to: wantedPage(request), here: '1' });
    return `${base}/auth/${encodeURIComponent(provider)}/start?${query}`;
  }
}

const searchOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** Only a part of our own page: what follows `/#` cannot lead to another site. */
function wantedPage({ query }: FastifyRequest): string {
  const { to } = query as { to?: unknown };
  return typeof to === 'string' && /^#\/[\x21-\x7e]{0,1000}$/.test(to) ? to : '#/';
}

const signInPage = (error: SignInRefusal): string => `/#/sign-in?error=${error}`;

/** No site learns the address from which it was reached, which may contain a code. */
const leadTo = (reply: FastifyReply, url: string): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(url, 302);

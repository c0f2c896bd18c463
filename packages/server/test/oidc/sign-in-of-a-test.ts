/** Signs in at a real provider as a browser does, and reads who is signed in. */
import type { AdminEvent, Me, Person } from '@holdpoint/protocol';
import type { TestServer } from '../test-server.ts';
import type { HttpBrowser, Visited } from './http-browser.ts';
import type { IdentityProviderServer } from './identity-provider.ts';

export const clientId = 'holdpoint';
export const clientSecret = 'a client secret of a test';

/** Registers the server at the provider, and the provider at the server. */
export async function connect(
  server: TestServer,
  idp: IdentityProviderServer,
  { client = {}, ...settings }: Record<string, unknown> & { client?: object } = {},
): Promise<string> {
  const id = String(settings.id ?? 'acme');
  const base = `${server.url}/auth/${id}`;
  idp.register({
    ...{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${base}/callback`] },
    ...{ post_logout_redirect_uris: [`${server.url}/`], backchannel_logout_uri: `${base}/backchannel-logout` },
    backchannel_logout_session_required: true,
    ...client,
  });
  const body = { id, name: 'Acme', issuer: idp.issuer, clientId, clientSecret, ...settings };
  const { status, body: made } = await server.admin.post('/v1/identity-providers', body);
  if (status !== 201) throw new Error(`adding the provider → ${status} ${JSON.stringify(made)}`);
  return id;
}

export const startOf = (server: TestServer, id = 'acme', to?: string): string =>
  `${server.url}/auth/${id}/start${to === undefined ? '' : `?${new URLSearchParams({ to })}`}`;

/** Follows the start to the page of the provider, and signs in there. Stops at the address that `until` accepts. */
export async function signInAt(
  browser: HttpBrowser,
  start: string,
  { user, until }: { user: string; until?: (url: string) => boolean },
): Promise<Visited> {
  const page = await browser.open(start);
  if (!page.url.includes('/interaction/')) return page;
  const answered = await browser.open(page.url, {
    form: { prompt: 'login', login: user, password: 'any' },
    ...(until ? { until } : {}),
  });
  return { ...answered, trail: [...page.trail, ...answered.trail] };
}

export const isCallback = (url: string): boolean => new URL(url).pathname.endsWith('/callback');

/** The caller of the session that the browser has. */
export async function meOf(browser: HttpBrowser, server: TestServer): Promise<(Me & { person: Person }) | undefined> {
  const { text } = await browser.send(`${server.url}/console/session`, { headers: { 'x-holdpoint-console': '1' } });
  return (JSON.parse(text) as { me?: Me & { person: Person } }).me;
}

/** The reason of a refusal, as the sign-in page gets it. */
export const errorOf = ({ url }: Visited): string | undefined => /#\/sign-in\?error=([a-z-]+)$/.exec(url)?.[1];

export async function events(server: TestServer, type: string): Promise<AdminEvent[]> {
  const { body } = await server.admin.get<{ data: AdminEvent[] }>(`/v1/admin-events?type=${type}`);
  return body.data;
}

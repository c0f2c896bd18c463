/** Gets tokens from a real provider as an MCP client does: a registered client, a code with PKCE, and a resource. */
import { createHash, randomBytes } from 'node:crypto';
import { HttpBrowser } from './http-browser.ts';
import type { IdentityProviderServer } from './identity-provider.ts';
import { signInAt } from './sign-in-of-a-test.ts';

/** Nothing listens there. The browser of the test stops before. */
export const redirectUri = 'http://localhost:9/callback';
const until = (url: string): boolean => url.startsWith(redirectUri);

/** Signs in and allows the client, and returns what the provider sends back, such as the code. */
export async function authorize(url: string, user: string): Promise<URLSearchParams> {
  const browser = new HttpBrowser();
  const page = await signInAt(browser, url, { user, until });
  const allowed = until(page.url) ? page : await browser.open(page.url, { form: { prompt: 'consent' }, until });
  return new URL(allowed.url).searchParams;
}

interface Wanted {
  user: string;
  resource?: string;
  /** A client that is registered. Otherwise a new one registers itself. */
  clientId?: string;
  nonce?: string;
}

export async function tokensFor(
  { issuer }: IdentityProviderServer,
  { user, resource, clientId, nonce }: Wanted,
): Promise<{ access_token: string; id_token?: string }> {
  const post = async (path: string, body: string, type: string) => {
    const reply = await fetch(issuer + path, { method: 'POST', headers: { 'content-type': type }, body });
    if (!reply.ok) throw new Error(`${path} → ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  const register = async () =>
    (await post(
      '/reg',
      JSON.stringify({ redirect_uris: [redirectUri], application_type: 'native', token_endpoint_auth_method: 'none' }),
      'application/json',
    )) as { client_id: string };
  const client_id = clientId ?? (await register()).client_id;
  const verifier = randomBytes(32).toString('base64url');
  const wanted = { client_id, redirect_uri: redirectUri, ...(resource ? { resource } : {}) };
  const query = new URLSearchParams({
    ...{ ...wanted, response_type: 'code', scope: 'openid', ...(nonce ? { nonce } : {}) },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
  });
  const code = (await authorize(`${issuer}/auth?${query}`, user)).get('code') ?? '';
  const grant = { ...wanted, grant_type: 'authorization_code', code, code_verifier: verifier };
  const form = new URLSearchParams(grant).toString();
  return (await post('/token', form, 'application/x-www-form-urlencoded')) as { access_token: string };
}

export const accessTokenFor = async (idp: IdentityProviderServer, wanted: Wanted): Promise<string> =>
  (await tokensFor(idp, wanted)).access_token;

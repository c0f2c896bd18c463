/** Calls as a browser or a proxy makes them, with every header that fetch would not let through. */
import { request } from 'node:http';
import { adminKey } from '../../test-server.ts';

export interface SentCall {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  body: Record<string, unknown>;
}

export const header = { 'x-holdpoint-console': '1' };

export function call(url: string, path: string, { method, headers, body }: SentCall = {}): Promise<Received> {
  const { hostname, port } = new URL(url);
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        ...{ agent: false, hostname: hostname.replace(/^\[|\]$/g, ''), port, path },
        method: method ?? (text === undefined ? 'GET' : 'POST'),
        headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      },
      (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          received += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: received,
            body: /json/.test(response.headers['content-type'] ?? '') ? JSON.parse(received) : {},
          }),
        );
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}

/** Creates a sign-in link: for the first admin, for the only one, or for this person. Returns its token. */
export async function newLink(url: string, { key = adminKey, ...input }: { key?: string; personId?: string } = {}) {
  const reply = await call(url, '/v1/sign-in-links', { headers: { authorization: `Bearer ${key}` }, body: input });
  if (reply.status !== 201) throw new Error(`creating a sign-in link → ${reply.status} ${reply.text}`);
  return tokenOf(String(reply.body.url));
}

export const tokenOf = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** Signs in as the admin of the key's org, and returns the headers of the session. */
export async function signIn(url: string, key = adminKey, headers: Record<string, string> = {}) {
  return signInWith(url, await newLink(url, { key }), headers);
}

/** Signs in with a link, and returns the headers of the session. */
export async function signInWith(url: string, link: string, headers: Record<string, string> = {}) {
  const reply = await call(url, '/console/session', {
    headers: { ...header, ...headers },
    body: { link, name: 'Ada Rossi' },
  });
  if (reply.status !== 200) throw new Error(`signing in → ${reply.status} ${reply.text}`);
  return { ...header, cookie: cookieOf(reply) };
}

export const setCookies = ({ headers }: Received): string[] => [headers['set-cookie'] ?? []].flat();

/** As a browser sends it back. */
export const cookieOf = (reply: Received): string =>
  setCookies(reply)
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

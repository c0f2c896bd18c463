/** The session cookie. It holds the token of a session, which the server stores only as a hash. */
import type { FastifyRequest } from 'fastify';

const name = 'holdpoint_session';
/** Browsers accept a cookie with this prefix only over HTTPS and from the same host. */
const hostPrefix = '__Host-';
/** Longer than any of our cookies. */
const maxLength = 2_048;

/**
 * `isOnlyByHttps` is true if users come only over HTTPS. Over HTTP, a neighboring domain or an attacker on the network could
 * plant a session of their own under any name without the prefix, and see what the user does in it.
 */
export function sessionCookies({ isOnlyByHttps }: { isOnlyByHttps: boolean }) {
  const ownOf = (request: FastifyRequest): [string, string][] =>
    cookiesOf(request).filter(([given]) => !isOnlyByHttps || given.startsWith(hostPrefix));

  return {
    /** Returns a Set-Cookie header. */
    give: (request: FastifyRequest, token: string, seconds: number): string =>
      cookie(nameFor(request, isOnlyByHttps), token, seconds),
    /** Clears the cookies with these tokens, and leaves those of other servers on the same host. */
    clear: (request: FastifyRequest, tokens: readonly string[]): string[] =>
      ownOf(request)
        .filter(([, value]) => tokens.includes(value))
        .map(([given]) => cookie(given, '', 0)),
    isSent: ({ headers: { cookie = '' } }: FastifyRequest): boolean => cookie.includes(name),
    /** Returns the tokens that the browser sent. The cookie of this port comes first. */
    read(request: FastifyRequest): string[] {
      const sent = ownOf(request);
      if (sent.length < 2) return sent.map(([, value]) => value);
      const own = nameFor(request, isOnlyByHttps);
      return sent.toSorted(([a], [b]) => Number(b === own) - Number(a === own)).map(([, value]) => value);
    },
  };
}

const cookie = (given: string, value: string, seconds: number): string =>
  `${given}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${given.startsWith(hostPrefix) ? '; Secure' : ''}`;

/**
 * Cookies belong to a host and ignore its port. So the name contains the port, or servers on one machine would
 * overwrite each other's cookies. Over HTTPS the prefix keeps neighboring domains from setting one.
 */
function nameFor({ headers: { origin, host } }: FastifyRequest, isOnlyByHttps: boolean): string {
  const address = origin ?? `http://${host}`;
  const { protocol, port } = new URL(URL.canParse(address) ? address : 'http://unnamed');
  return `${isOnlyByHttps || protocol === 'https:' ? hostPrefix : ''}${name}${port ? `_${port}` : ''}`;
}

/** At most four, so that a request with many cookies costs few look-ups. */
const mostCookies = 4;

function cookiesOf({ headers: { cookie: given = '' } }: FastifyRequest): [string, string][] {
  return given
    .split(';')
    .map((part) => part.trim().split('=', 2) as [string, string | undefined])
    .filter((pair): pair is [string, string] => /^(?:__Host-)?holdpoint_session(?:_\d{1,5})?$/.test(pair[0]))
    .filter(([, value]) => value !== undefined && value.length <= maxLength)
    .slice(0, mostCookies);
}

/** The session cookie: signed, valid for twelve hours, and stored nowhere. */
import type { FastifyRequest } from 'fastify';
import { hmac, isSameSignature } from './server-secret.ts';

/** The rights of a session, and its end. */
export interface Session {
  orgId: string;
  keyId: string;
  /** Opened without a key, by a user of this machine. */
  isLocal: boolean;
  /** In seconds since 1970. */
  expires: number;
  /** Identifies the configured key, so that changing the key ends the session. */
  keyMark?: string;
}

export const sessionSeconds = 43_200;
const name = 'holdpoint_console';
/** Browsers accept a cookie with this prefix only over HTTPS and from the same host. */
const hostPrefix = '__Host-';
/** Longer than any of our cookies. */
const maxLength = 2_048;

/**
 * `isOnlyByHttps` is true if users come only over HTTPS. Over HTTP, a neighboring domain or an attacker on the network could
 * plant a session of their own under any name without the prefix, and see what the user does in it.
 */
export function sessionCookies(secret: Buffer, { isOnlyByHttps }: { isOnlyByHttps: boolean }) {
  const sign = (purpose: string, text: string) => hmac(secret, [purpose, text]).toString('base64url');

  const ownOf = (request: FastifyRequest) =>
    cookiesOf(request).filter(([given, value]) => {
      if (isOnlyByHttps && !given.startsWith(hostPrefix)) return false;
      const [text = '', signature = ''] = value.split('.');
      return isSameSignature(signature, sign('session', text));
    });

  return {
    /** Returns a one-way mark of a secret. */
    markOf: (text: string): string => sign('key', text),
    /** Returns a Set-Cookie header. */
    give(request: FastifyRequest, session: Session): string {
      const text = Buffer.from(JSON.stringify(session)).toString('base64url');
      return cookie(nameFor(request, isOnlyByHttps), `${text}.${sign('session', text)}`, sessionSeconds);
    },
    /** Clears the cookies of this server, and leaves those of other servers on the same host. */
    clear: (request: FastifyRequest): string[] => ownOf(request).map(([given]) => cookie(given, '', 0)),
    /** Returns the newest valid session, without forged cookies. The caller checks whether it has ended. */
    read(request: FastifyRequest): Session | undefined {
      const sessions = ownOf(request).map(([, value]) => sessionIn(value));
      return sessions.toSorted((a, b) => b.expires - a.expires)[0];
    },
  };
}

const sessionIn = (value: string): Session =>
  JSON.parse(Buffer.from(value.split('.')[0] ?? '', 'base64url').toString());

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

function cookiesOf({ headers: { cookie: given = '' } }: FastifyRequest): [string, string][] {
  return given
    .split(';')
    .map((part) => part.trim().split('=', 2) as [string, string | undefined])
    .filter((pair): pair is [string, string] => /^(?:__Host-)?holdpoint_console(?:_\d{1,5})?$/.test(pair[0]))
    .filter(([, value]) => value !== undefined && value.length <= maxLength);
}

/** The cookie of a session: what it says, signed, for twelve hours. Nothing about it is stored. */
import type { FastifyRequest } from 'fastify';
import { hmac, isSameSignature } from './server-secret.ts';

/** Whose rights a session has, and until when. */
export interface Session {
  orgId: string;
  keyId: string;
  /** Opened without a key, by somebody of this machine. */
  isLocal: boolean;
  /** In seconds since 1970. */
  expires: number;
  /** Of the key that is configured, so that the session ends when that is another. */
  keyMark?: string;
}

export const sessionSeconds = 43_200;
const name = 'holdpoint_console';
/** A browser takes a cookie of such a name by https alone, and from no other host. */
const hostPrefix = '__Host-';
/** More than any of ours has. */
const maxLength = 2_048;

export interface SessionCookies {
  /** What a Set-Cookie header says. */
  give(request: FastifyRequest, session: Session): string;
  /** Those of other servers of the same host are left alone. */
  clear(request: FastifyRequest): string[];
  /** The session that a request carries, the newest of several, unless it is forged or broken; that it is over is for others to see. */
  read(request: FastifyRequest): Session | undefined;
  /** A mark of a secret that says nothing of it. */
  markOf(text: string): string;
}

export interface SessionCookiesOptions {
  /**
   * Whether people come by https alone. A neighbour of the domain, or who sits in between where a page comes by http, can
   * put a session of their own into a browser under any other name, and see what is done in it.
   */
  isOnlyByHttps: boolean;
}

export function sessionCookies(secret: Buffer, { isOnlyByHttps }: SessionCookiesOptions): SessionCookies {
  const sign = (purpose: string, text: string) => hmac(secret, [purpose, text]).toString('base64url');

  const ownOf = (request: FastifyRequest) =>
    cookiesOf(request).filter(([given, value]) => {
      if (isOnlyByHttps && !given.startsWith(hostPrefix)) return false;
      const [text = '', signature = ''] = value.split('.');
      return isSameSignature(signature, sign('session', text));
    });

  return {
    markOf: (text) => sign('key', text),
    give(request, session) {
      const text = Buffer.from(JSON.stringify(session)).toString('base64url');
      return cookie(nameFor(request, isOnlyByHttps), `${text}.${sign('session', text)}`, sessionSeconds);
    },
    clear: (request) => ownOf(request).map(([given]) => cookie(given, '', 0)),
    read(request) {
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
 * Cookies are of a host, whatever its port: each server of a machine has a name of its own, or they would put each other's
 * away. Where the page came by https, no neighbour of its domain can put one here.
 */
function nameFor({ headers: { origin, host } }: FastifyRequest, isOnlyByHttps: boolean): string {
  const place = origin ?? `http://${host}`;
  const { protocol, port } = new URL(URL.canParse(place) ? place : 'http://unnamed');
  return `${isOnlyByHttps || protocol === 'https:' ? hostPrefix : ''}${name}${port ? `_${port}` : ''}`;
}

function cookiesOf({ headers: { cookie: given = '' } }: FastifyRequest): [string, string][] {
  return given
    .split(';')
    .map((part) => part.trim().split('=', 2) as [string, string | undefined])
    .filter((pair): pair is [string, string] => /^(?:__Host-)?holdpoint_console(?:_\d{1,5})?$/.test(pair[0]))
    .filter(([, value]) => value !== undefined && value.length <= maxLength);
}

/** Sessions of people and the links that open them, as stored. Both hold the hash of a secret, never the secret. */
import type { Actor, PersonSession, Via } from '@holdpoint/protocol';
import type { Issuers } from '../caller.ts';

const day = 86_400_000;
/** People sign in again after this time, also if they use the session every day. */
export const sessionMs = 30 * day;
/** The last use is stored at most this often, so that reading costs no write. */
export const lastUseMs = 5 * 60_000;

export interface StoredSession extends Omit<PersonSession, 'isCurrent'>, Issuers {
  personId: string;
  secretHash: string;
  provider?: SessionProvider;
}

/** The identity provider with which a session began. */
export interface SessionProvider {
  id: string;
  /** Ends the session at the provider too. */
  idToken?: string;
  /** The session of the user there. The provider names it when it ends. */
  sessionId?: string;
}

/** Finds our session when a provider ends its own. */
export interface ProviderSession {
  personId: string;
  sessionId: string;
}

export interface StoredSignInLink {
  /** Absent: the link makes the person who opens it the first admin. */
  personId?: string;
  createdBy: Actor;
  expiresAt: string;
}

/** The id of the document, which lists the sessions of one person together. No id that the server makes has a space. */
export const sessionDocumentId = (personId: string, sessionId: string): string => `${personId} ${sessionId}`;

export const isOver = ({ expiresAt }: { expiresAt: string }, now: number): boolean => Date.parse(expiresAt) <= now;

export const shownSession = (
  { id, via, device, createdAt, lastUsedAt, expiresAt }: StoredSession,
  current: string | undefined,
): PersonSession => ({
  ...{ id, via, device, createdAt, lastUsedAt, expiresAt },
  ...(id === current ? { isCurrent: true as const } : {}),
});

/** Names the browser in a few words. */
export function deviceOf(userAgent = '', via?: Via): string {
  const [, browser] = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent) ?? [];
  const [, system] = /(iPhone|iPad|Android|Windows|Macintosh|CrOS|Linux)/.exec(userAgent) ?? [];
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', Macintosh: 'Mac', CrOS: 'ChromeOS' };
  const words = [browser, system].filter((word) => word !== undefined).map((word) => names[word] ?? word);
  return words.join(' on ') || (via === 'local' ? 'A program' : 'Unknown device');
}

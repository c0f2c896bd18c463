/**
 * The session of this tab, so that a page that is loaded again goes on with its conversation. Not for all tabs and no
 * longer than the tab: the next person at the same computer must not find it. `loader.ts` looks for the same key.
 */
import type { OpenedSession } from './blocks-calls.ts';

export class KeptSession {
  readonly #key: string;

  constructor(publicKey: string, customerId: string) {
    this.#key = `holdpoint-session ${publicKey} ${customerId}`;
  }

  read(): OpenedSession | undefined {
    try {
      const kept = JSON.parse(sessionStorage.getItem(this.#key) ?? 'null') as OpenedSession | null;
      return kept && Date.parse(kept.expiresAt) > Date.now() ? kept : undefined;
    } catch {
      return undefined;
    }
  }

  /** A page may forbid storage; then a session lives as long as the page. */
  write(session: OpenedSession | undefined): void {
    try {
      if (session) sessionStorage.setItem(this.#key, JSON.stringify(session));
      else sessionStorage.removeItem(this.#key);
    } catch {}
  }
}

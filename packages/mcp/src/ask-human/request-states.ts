/** The state that a client sends back in the next round of a call: readable, signed, for one caller, expiring and usable once. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface StateClaims {
  /** Unique to this state. */
  id: string;
  interactionId: string;
  /** The digest of the shown question, or null if it has none. */
  digest: string | null;
  /** `plain-form` is a form of version 2025-06-18. */
  mode: 'form' | 'plain-form' | 'url';
  /** In milliseconds since 1970. */
  expiresAt: number;
}

export interface RequestStates {
  seal(round: Pick<StateClaims, 'interactionId' | 'digest' | 'mode'>): { id: string; state: string };
  /** Returns undefined if the state is forged, broken, expired, or belongs to another caller. */
  open(state: string): StateClaims | undefined;
  /** Returns true for the first use of a state on any node. */
  use(claims: StateClaims): Promise<boolean>;
}

export interface RequestStatesOptions {
  secret: Uint8Array;
  /** The org and the caller, which a state does not contain. */
  boundTo: readonly string[];
  now(): number;
  use: RequestStates['use'];
}

/** Limits how long a form may stay open. */
const lifeMs = 3_600_000;

export function requestStates({ secret, boundTo, now, use }: RequestStatesOptions): RequestStates {
  const sign = (body: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['mcp-state', ...boundTo, body]))
      .digest('base64url');
  const isSigned = (body: string, signature: string): boolean => {
    // Compares texts, because base64url decodes several texts to the same bytes.
    const [given, right] = [Buffer.from(signature), Buffer.from(sign(body))];
    return given.byteLength === right.byteLength && timingSafeEqual(given, right);
  };
  return {
    seal(round) {
      const claims: StateClaims = { id: crypto.randomUUID(), ...round, expiresAt: now() + lifeMs };
      const body = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return { id: claims.id, state: `${body}.${sign(body)}` };
    },
    open(state) {
      const [body = '', signature = '', ...more] = state.split('.');
      if (more.length > 0 || !isSigned(body, signature)) return undefined;
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as StateClaims;
      return claims.expiresAt > now() ? claims : undefined;
    },
    use,
  };
}

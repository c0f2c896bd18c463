/** What a client carries from one round of a call to the next: readable, signed, of one caller, for a while, and good for once. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface StateClaims {
  /** Of this state alone. */
  id: string;
  interactionId: string;
  /** Of the question as it was shown; null where none was kept. */
  digest: string | null;
  /** A plain form is one as 2025-06-18 has it. */
  mode: 'form' | 'plain-form' | 'url';
  /** In milliseconds since 1970. */
  expiresAt: number;
}

export interface RequestStates {
  seal(round: Pick<StateClaims, 'interactionId' | 'digest' | 'mode'>): { id: string; state: string };
  /** undefined: forged, broken, out of date, or of another caller. */
  open(state: string): StateClaims | undefined;
  /** True for the first who uses it, whatever node it comes to. */
  use(claims: StateClaims): Promise<boolean>;
}

export interface RequestStatesOptions {
  secret: Uint8Array;
  /** What a state is bound to besides what it says: its org and its caller. */
  boundTo: readonly string[];
  now(): number;
  use: RequestStates['use'];
}

/** How long a form may stay open. */
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

/** What the address of the page says: the token, and which question it reaches for whom. */
import { readClaims } from '../connection/claims.ts';

export interface Link {
  token: string;
  interactionId: string;
  responderId: string;
}

/** Undefined where a piece is missing. */
export function readLink(pathname: string): Link | undefined {
  const token = pathname.split('/').at(-1) ?? '';
  const { interaction, sub } = readClaims(token);
  return interaction !== undefined && sub !== undefined
    ? { token, interactionId: interaction, responderId: sub }
    : undefined;
}

/** The responder who looks at a question: the person that the token names, and their vote. */
import type { Answer, Interaction } from '@holdpoint/protocol';

export interface Claims {
  /** The id of the responder. */
  sub?: string;
  /** The question in its scope, if it is a single one. */
  interaction?: string;
}

/** Reads the claims without checking them: the server checks the token with every call. Empty if a piece is missing. */
export function readClaims(token: string): Claims {
  const [header, claims, signature] = token.split('.');
  if (!header || !claims || !signature) return {};
  try {
    const bytes = Uint8Array.from(atob(claims.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    );
    const all = Object.entries(JSON.parse(new TextDecoder().decode(bytes)) as object);
    return Object.fromEntries(all.filter(([, value]) => typeof value === 'string'));
  } catch {
    return {};
  }
}

export const isBy = ({ by }: Answer, responderId: string | undefined): boolean =>
  by.type === 'human' && by.id === responderId;

export const voteOf = ({ votes }: Interaction, responderId: string | undefined): Answer | undefined =>
  votes.find((vote) => isBy(vote, responderId));

/** Makes the text whose SHA-256 a person signs with a passkey to answer. Without schemas, so that pages can load it. */

import { canonicalJson } from './canonical-json.ts';
import type { Answer } from './interaction.ts';

export interface SignedAnswer extends Pick<Answer, 'decision' | 'values' | 'payload' | 'secretFields'> {
  interactionId: string;
  /** The digest of the question. It covers everything that the person was shown, and the policy. */
  digest: string | undefined;
  personId: string;
}

/**
 * Covers the question, the person, and everything that the answer decides. Values of secret fields are left out, because
 * the server deletes them; the names of these fields are in it.
 */
export function answerChallenge({
  interactionId,
  digest,
  personId,
  decision,
  values,
  secretFields,
  payload,
}: SignedAnswer): string {
  const names = secretFields?.toSorted();
  return canonicalJson({ v: 1, interactionId, digest, decision, values, secretFields: names, payload, personId });
}

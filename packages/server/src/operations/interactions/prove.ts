/** Collects the proof of who answers: the session, and the signature of the answer. */
import { hash } from 'node:crypto';
import { type AnswerSignature, answerChallenge, type Interaction, type SignedAnswer } from '@holdpoint/protocol';
import { proofOf } from '../../domain/assurance.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Proof } from '../../domain/command.ts';
import type { Context } from '../context.ts';
import { findPasskey } from '../people/passkeys.ts';

type Given = Pick<SignedAnswer, 'decision' | 'values' | 'payload' | 'secretFields'>;

/**
 * Verifies the signature over this answer to this question. The passkey must be one that the person has now, and the page
 * that asked for the signature must be of this server.
 */
export async function prove(
  context: Pick<Context, 'store' | 'passkeys' | 'publicUrl'>,
  caller: Caller,
  { state, signature, given }: { state: Interaction; signature: AnswerSignature | undefined; given: Given | undefined },
): Promise<Proof> {
  const proof = proofOf(caller);
  // Without valid values there is nothing to sign. The rules refuse the answer for its values.
  if (!signature || !given) return proof;
  const rejected = (why: string): Proof => ({
    ...proof,
    rejected: `The signature of the answer is not valid: ${why}. Answer in the inbox of Holdpoint, where the page asks for it.`,
  });
  if (caller.kind !== 'person') return rejected('only a person who has signed in may sign');
  const found = await findPasskey(context, signature.credentialId);
  if (found?.stored.orgId !== caller.orgId || found.stored.personId !== caller.person.id)
    return rejected('you have no such passkey');
  const { id: relyingPartyId, origin } = found.stored;
  const { publicKey } = found.passkey;
  const text = answerChallenge({
    ...{ interactionId: state.id, digest: state.digest, personId: caller.person.id },
    ...given,
  });
  const challenge = hash('sha256', text, 'base64url');
  const origins = [origin, ...originOf(context.publicUrl(), relyingPartyId)];
  const isSigned = await context.passkeys.isSigned(signature, { publicKey, challenge, relyingPartyId, origins });
  if (!isSigned) return rejected('it is not of this answer to this question');
  // Only these properties, so that nothing unsigned is stored with it.
  const { credentialId, authenticatorData, clientDataJSON, signature: bytes } = signature;
  return { ...proof, signature: { credentialId, authenticatorData, clientDataJSON, signature: bytes } };
}

/** The address of the server may have changed since the passkey was added, for example to https. */
function originOf(publicUrl: string | undefined, host: string): string[] {
  const url = publicUrl !== undefined && URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  return url?.hostname === host ? [url.origin] : [];
}

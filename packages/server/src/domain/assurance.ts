/** Assurance: how certain it must be who answers a question, and whether a caller has proved it. */
import {
  type Assurance,
  assurances,
  type Fault,
  type Interaction,
  isApproval,
  type Problem,
} from '@holdpoint/protocol';
import { type Caller, isClient } from './caller.ts';
import type { Proof } from './command.ts';
import { currentState } from './state.ts';

/** The proof of a caller that sends no signature. Answers without any caller have none. */
export const proofOf = (caller: Caller): Proof =>
  isClient(caller) ? { isSignedIn: false, isClient: true } : { isSignedIn: caller.kind === 'person' };

export const highest = (...given: readonly (Assurance | undefined)[]): Assurance =>
  assurances.findLast((each) => given.includes(each)) ?? 'any';

/** Returns the property as it is stored. It is absent for `any`, so that digests from before it existed stay the same. */
export const storedAssurance = (assurance: Assurance | undefined): { assurance?: 'signed-in' | 'passkey' } =>
  assurance === undefined || assurance === 'any' ? {} : { assurance };

/** Returns why an answer with this proof is refused, if so. A signature that was sent must always be valid. */
export function lacksAssurance(state: Interaction, proof: Proof = { isSignedIn: false }): Fault | undefined {
  const { assurance } = state;
  const refuse = (detail: string): Fault => ({
    code: 'assurance-needed',
    detail,
    current: { ...currentState(state), assurance: assurance ?? 'any' },
  });
  if (proof.rejected !== undefined) return refuse(proof.rejected);
  // Otherwise a model could approve what it asks, with the token of the person it works for.
  if (proof.isClient && isApproval(state))
    return refuse('An MCP client cannot answer an approval. Sign in to Holdpoint and answer it in the inbox.');
  if (!assurance) return undefined;
  if (!proof.isSignedIn)
    return refuse(
      `Only a person who has signed in may answer this question${assurance === 'passkey' ? ', with a passkey' : ''}. Sign in to Holdpoint and answer it in the inbox.`,
    );
  if (assurance === 'signed-in' || proof.signature) return undefined;
  return refuse(
    'This answer must be signed with a passkey. Answer in the inbox of Holdpoint, where the page asks for it.',
  );
}

/** Nobody signs what a deadline accepts. */
export function checkAssurance({ assurance, deadline }: Pick<Interaction, 'assurance' | 'deadline'>): Problem[] {
  if (!assurance || deadline?.outcome !== 'recommended') return [];
  const message = `A deadline cannot accept a question with the assurance ${assurance}. Use the outcome expire or decline.`;
  return [{ pointer: '/deadline/outcome', code: 'not-allowed', message }];
}

/** Gives Holdpoint the answers that people give in another protocol. */
import type { Holdpoint } from '@holdpoint/client';
import { type Actor, defined, HoldpointError, type Interaction, type SubmitAnswer } from '@holdpoint/protocol';

/**
 * Use an admin key and the person your login knows, or the token of that person. A key with the role agent cannot answer
 * for a person.
 */
export interface Answering {
  hp: Holdpoint;
  responder?: Actor;
}

/** Answers or declines. If somebody else was faster, the first answer counts, and this resolves all the same. */
export async function giveAnswer(
  { hp, responder }: Answering,
  { id: interactionId }: Interaction,
  answer: SubmitAnswer | { decline: true; reason?: string },
): Promise<void> {
  const to = { interactionId, ...defined({ responder }) };
  const given =
    'decline' in answer
      ? hp.declineInteraction({ ...to, ...defined({ reason: answer.reason }) })
      : hp.submitAnswer({ ...to, ...answer });
  await given.catch(ignoreSettled);
}

const settled = ['interaction-already-answered', 'interaction-cancelled', 'interaction-expired'];

/** For a question that somebody else may have closed in the meantime. */
export function ignoreSettled(error: unknown): void {
  if (!(error instanceof HoldpointError && settled.includes(error.code))) throw error;
}

/** Runs the work of an agent that asks people, and takes the answers that people give in its protocol. */
import type { Holdpoint } from '@holdpoint/client';
import {
  type ActorRef,
  closedCodes,
  defined,
  hasCode,
  type Interaction,
  outcomeOf,
  type ReadingOptions,
  type SubmitAnswer,
  type ValuesOf,
} from '@holdpoint/protocol';
import { createOnce, type Place, type Question } from './ask-once.ts';
import { type OutcomeSummary, summaryOf } from './outcomes.ts';

/** Returns the outcome of a closed question. An open question ends the turn. Give each question of a run its own name. */
export type AskInTurn = <Q extends Question>(name: string, question: Q) => Promise<OutcomeSummary<ValuesOf<Q>>>;

export type Turn<T> = { result: T } | { open: Interaction[] };

class StillOpen extends Error {}

export async function takeTurn<T>(
  hp: Holdpoint,
  { countDeadlineAsApproval, ...place }: Place & ReadingOptions,
  work: (ask: AskInTurn) => Promise<T>,
): Promise<Turn<T>> {
  const open: Interaction[] = [];
  const asking: Promise<unknown>[] = [];

  async function askOne<Q extends Question>(name: string, question: Q): Promise<OutcomeSummary<ValuesOf<Q>>> {
    const interaction = await createOnce(hp, question, { ...place, at: ['turn', name], toolCallId: name });
    if (interaction.status !== 'pending')
      return summaryOf(outcomeOf<ValuesOf<Q>>(interaction, { countDeadlineAsApproval }));
    open.push(interaction);
    throw new StillOpen(`Nobody has answered "${interaction.title}" yet.`);
  }

  const ask: AskInTurn = (name, question) => {
    const asked = askOne(name, question);
    // Work that stops at the first open question never awaits the others, which would be unhandled rejections.
    asked.catch(() => {});
    asking.push(asked);
    return asked;
  };

  try {
    return { result: await work(ask) };
  } catch (error) {
    if (!(error instanceof StillOpen)) throw error;
    await Promise.allSettled(asking);
    return { open };
  }
}

/**
 * Use an admin key and the person your login knows, or the token of that person. A key with the role agent cannot answer
 * for a person.
 */
export interface Answering {
  hp: Holdpoint;
  responder?: ActorRef;
}

/** Answers or declines. If another answer was faster, that one counts, and this resolves as well. */
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

/** For a question that may have been closed in the meantime. */
export function ignoreSettled(error: unknown): void {
  if (!hasCode(error, ...closedCodes)) throw error;
}

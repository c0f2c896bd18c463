/** Runs work that asks people. It ends at an open question and starts again with the answer; questions are found by name. */
import type { Holdpoint } from '@holdpoint/client';
import { type Interaction, outcomeOf, type ReadingOptions, type ValuesOf } from '@holdpoint/protocol';
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

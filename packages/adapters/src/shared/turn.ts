/** Work that asks people and is begun again when they have answered: what it asked before, it finds by the names of its questions. */
import type { Holdpoint } from '@holdpoint/client';
import { type Interaction, outcomeOf, type ReadingOptions, type ValuesOf } from '@holdpoint/protocol';
import { createOnce, type Place, type Question } from './ask-once.ts';
import { type ToldOutcome, tellOutcome } from './tell-outcome.ts';

/** Comes back only with a question that is closed; one that is open ends the turn. `name`: another for each question of a run. */
export type AskInTurn = <Q extends Question>(name: string, question: Q) => Promise<ToldOutcome<ValuesOf<Q>>>;

export type Turn<T> = { result: T } | { open: Interaction[] };

class StillOpen extends Error {}

export async function takeTurn<T>(
  hp: Holdpoint,
  { countDeadlineAsApproval, ...place }: Place & ReadingOptions,
  work: (ask: AskInTurn) => Promise<T>,
): Promise<Turn<T>> {
  const open: Interaction[] = [];
  const asking: Promise<unknown>[] = [];

  async function askOne<Q extends Question>(name: string, question: Q): Promise<ToldOutcome<ValuesOf<Q>>> {
    const interaction = await createOnce(hp, question, { ...place, at: ['turn', name], toolCallId: name });
    if (interaction.status !== 'pending')
      return tellOutcome(outcomeOf<ValuesOf<Q>>(interaction, { countDeadlineAsApproval }));
    open.push(interaction);
    throw new StillOpen(`Nobody has answered "${interaction.title}" yet.`);
  }

  const ask: AskInTurn = (name, question) => {
    const told = askOne(name, question);
    // Work that stops at the first of several questions never looks at the others.
    told.catch(() => {});
    asking.push(told);
    return told;
  };

  try {
    return { result: await work(ask) };
  } catch (error) {
    if (!(error instanceof StillOpen)) throw error;
    await Promise.allSettled(asking);
    return { open };
  }
}

/** Ends the access of a deactivated person: their sessions, and the questions that name them. */
import type { Actor } from '@holdpoint/protocol';
import { decide } from '../../domain/decide.ts';
import { personAssignee } from '../../domain/people/assignee.ts';
import { systemActor } from '../../domain/state.ts';
import type { TimerChange } from '../../stores/store.ts';
import type { Context, FireTimer } from '../context.ts';
import { digestOf, toChange } from '../interactions/change-interaction.ts';
import { pagesOf } from '../perform.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { endSessionsOf } from './sessions.ts';

/**
 * The timer repeats the work a minute after the deactivation: the server may have stopped in between, and a question
 * that was created at the same moment may name the person.
 */
export const deactivationTimer = (personId: string, now: number): TimerChange => ({
  ...{ kind: 'person', id: personId, dueAt: now + 60_000 },
});

type Tools = Pick<Context, 'store' | 'clock' | 'newId'>;
type Ending = { orgId: string; by: Actor };

/** Changes one record per commit. Sessions and answers are refused from the status on, so nothing depends on the speed. */
export async function endAccess(context: Tools, ending: Ending, personId: string): Promise<void> {
  await endSessionsOf(context, ending, personId);
  await leaveQuestions(context, ending, personId);
}

/** Removes the person from all pending questions that name them. */
async function leaveQuestions(context: Tools, { orgId, by }: Ending, personId: string): Promise<void> {
  const { store, clock } = context;
  const assignee = personAssignee(personId);
  const named = { orgId, assignee, status: 'pending', limit: 100 } as const;
  for await (const questions of pagesOf((from) => store.listInteractions({ ...named, ...from })))
    for (const { id } of questions)
      await retryOnConflict(async () => {
        const state = await store.getInteraction({ orgId, id });
        if (!state?.responder.assignees?.includes(assignee)) return undefined;
        const decided = decide(state, { type: 'unassign', by, assignee, digestOf }, clock.now());
        // Closed meanwhile.
        if (!decided.ok) return undefined;
        return store.commit({ orgId, ...toChange(decided.outcome, state) });
      });
}

export const finishDeactivation: FireTimer<'newId'> = async (context, { orgId, id }) => {
  const { store } = context;
  const person = await store.getDocument({ orgId, type: 'person', id });
  if (person?.record.status === 'deactivated') {
    await endAccess(context, { orgId, by: systemActor('deactivation') }, id);
  }
  await store.commit({ orgId, timers: [{ kind: 'person', id, dueAt: null }] });
};

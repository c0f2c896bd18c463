/** Claims, releases, reassigns and delegates pending interactions. */
import { defined, fail } from '@holdpoint/protocol';
import { actorOf, isAdmin, isRequesterOrAdmin } from '../../domain/caller.ts';
import type { Operation } from '../context.ts';
import { knownAssignee, knownAssignees } from '../people/assignees.ts';
import { changeInteraction, digestOf } from './change-interaction.ts';
import { respondingTo } from './responders.ts';

const claimForMs = 900_000;

export const claimInteraction: Operation<'claimInteraction'> = (context, caller, input) =>
  changeInteraction(context, caller, {
    verb: 'claimInteraction',
    input,
    command: async (state) => ({
      type: 'claim',
      forMs: input.claimForMs ?? claimForMs,
      ...(await respondingTo(context, caller, state, input.responder)),
    }),
  });

export const releaseInteraction: Operation<'releaseInteraction'> = (context, caller, input) =>
  changeInteraction(context, caller, {
    verb: 'releaseInteraction',
    input,
    command: async (state) => ({
      type: 'release',
      isAdmin: isAdmin(caller),
      ...(await respondingTo(context, caller, state, input.responder)),
    }),
  });

export const reassignInteraction: Operation<'reassignInteraction'> = (context, caller, input) => {
  const { reason } = input;
  return changeInteraction(context, caller, {
    verb: 'reassignInteraction',
    input,
    command: async (state) => {
      if (!isRequesterOrAdmin(caller, state))
        return fail('forbidden', 'Only the key that asked, or an admin, may reassign a question.');
      const assignees = await knownAssignees(context, caller, input.assignees, '/assignees');
      return {
        ...({ type: 'reassign', by: actorOf(caller), isAdmin: isAdmin(caller), assignees, digestOf } as const),
        ...defined({ reason }),
      };
    },
  });
};

export const delegateInteraction: Operation<'delegateInteraction'> = (context, caller, input) => {
  const { reason, responder } = input;
  return changeInteraction(context, caller, {
    verb: 'delegateInteraction',
    input,
    // A responder who has handed over a question no longer sees it, but gets the result of the call again.
    isReloadedUnscoped: true,
    command: async (state) => {
      const to = await knownAssignee(context, caller, input.to, '/to');
      const responding = await respondingTo(context, caller, state, responder);
      return { type: 'delegate', to, digestOf, ...responding, ...defined({ reason }) };
    },
  });
};

import type { Interaction } from '@holdpoint/protocol';
import type { CommandOf, Decided } from './command.ts';
import { interactionEvent, next, timestamp } from './state.ts';

/** The asker withdraws the question. */
export function decideCancel(state: Interaction, { by, reason }: CommandOf<'cancel'>, now: number): Decided {
  const interaction = next(state, now, {
    status: 'cancelled',
    closedReason: 'cancelled',
    closedAt: timestamp(now),
    closedBy: by,
    ...(reason === undefined ? {} : { cancelReason: reason }),
  });
  const data = reason === undefined ? {} : { reason };
  return {
    ok: true,
    outcome: { interaction, events: [interactionEvent(interaction, 'interaction.cancelled', by, data)] },
  };
}

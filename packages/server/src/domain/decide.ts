/** The rules: (state, command, now) → the new state and its events, or a fault. No clock, no I/O, no randomness. */
import type { Interaction } from '@holdpoint/protocol';
import { decideAnswer, decideDecline } from './answer.ts';
import { type Command, type CommandOf, type Decided, refuse } from './command.ts';
import { decideCreate } from './create.ts';
import { decideExpire } from './expire.ts';
import { closedDetail, currentState, interactionEvent, next, timestamp, versionConflict } from './state.ts';
import { transitions } from './transitions.ts';
import { decideUpdate } from './update.ts';

export function decide(state: Interaction | null, command: Command, now: number): Decided {
  const cell = transitions[state?.status ?? 'absent'][command.type];
  if (cell !== 'decide') {
    if (!state) return refuse({ code: cell, detail: 'There is no such interaction.' });
    return refuse({ code: cell, detail: closedDetail(state), current: currentState(state) });
  }
  if (command.type === 'create') return decideCreate(command, now);
  if (!state) return refuse({ code: 'interaction-not-found', detail: 'There is no such interaction.' });
  const { expectedVersion = state.version } = command;
  if (expectedVersion !== state.version)
    return refuse(versionConflict(expectedVersion, { ...currentState(state), version: state.version }));
  switch (command.type) {
    case 'answer':
      return decideAnswer(state, command, now);
    case 'decline':
      return decideDecline(state, command, now);
    case 'cancel':
      return decideCancel(state, command, now);
    case 'update':
      return decideUpdate(state, command, now);
    case 'expire':
      return decideExpire(state, command, now);
  }
}

/** The asker withdraws the question. */
function decideCancel(state: Interaction, { by, reason }: CommandOf<'cancel'>, now: number): Decided {
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

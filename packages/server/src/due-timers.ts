/** Starts the timers of every kind. */
import type { Callbacks } from './delivery/callbacks.ts';
import { Timers } from './delivery/timers.ts';
import type { Context } from './operations/context.ts';
import { expireFile } from './operations/files/delete-files.ts';
import { expireInteraction } from './operations/interactions/change-interaction.ts';
import { expireDraft } from './operations/interactions/drafts.ts';
import { expireStream } from './operations/messages/message-streams.ts';
import { fireRunTimer } from './operations/runs/change-run.ts';

export function startTimers(context: Context, callbacks: Callbacks, onError: (error: unknown) => void): Timers[] {
  const { store, clock } = context;
  const shared = { store, clock, onError };
  return [
    new Timers({
      ...{ ...shared, kind: 'interaction' },
      movedBy: ['interaction.created', 'interaction.updated'],
      fire: (due) => expireInteraction(context, due),
    }),
    // Due at least a minute after it was set, so no event moves it.
    new Timers({ ...shared, kind: 'stream', movedBy: [], fire: (due) => expireStream(context, due) }),
    new Timers({
      ...{ ...shared, kind: 'run' },
      movedBy: ['run.waiting', 'run.failed', 'run.cancelled'],
      fire: (due) => fireRunTimer(context, due),
    }),
    new Timers({
      ...{ ...shared, kind: 'file' },
      movedBy: ['run.completed', 'run.failed', 'run.cancelled'],
      fire: (due) => expireFile(context, due),
    }),
    // Due at least a month after it was set.
    new Timers({ ...shared, kind: 'draft', movedBy: [], fire: (due) => expireDraft(context, due) }),
    // Polled, so it may fire a second late. Looking at every answer would slow down servers without callbacks.
    new Timers({ ...shared, kind: 'callback', movedBy: [], fire: (due) => callbacks.fire(due) }),
  ];
}

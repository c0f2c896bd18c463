/** Starts the timers of every kind. */
import type { Callbacks } from './delivery/callbacks.ts';
import { type TimerOptions, Timers } from './delivery/timers.ts';
import type { Context } from './operations/context.ts';
import { expireFile } from './operations/files/delete-files.ts';
import { expireInteraction } from './operations/interactions/change-interaction.ts';
import { expireDraft } from './operations/interactions/drafts.ts';
import { expireStream } from './operations/messages/message-streams.ts';
import { fireRunTimer } from './operations/runs/run-timer.ts';

export function startTimers(context: Context, callbacks: Callbacks, onError: (error: unknown) => void): Timers[] {
  const { store, clock } = context;
  const timers: [TimerOptions['kind'], TimerOptions['movedBy'], TimerOptions['fire']][] = [
    ['interaction', ['interaction.created', 'interaction.updated'], (due) => expireInteraction(context, due)],
    // Due at least a minute after it was set, so no event moves it.
    ['stream', [], (due) => expireStream(context, due)],
    ['run', ['run.waiting', 'run.failed', 'run.cancelled'], (due) => fireRunTimer(context, due)],
    ['file', ['run.completed', 'run.failed', 'run.cancelled'], (due) => expireFile(context, due)],
    // Due at least a month after it was set.
    ['draft', [], (due) => expireDraft(context, due)],
    // Polled, so it may fire a second late. Looking at every answer would slow down servers without callbacks.
    ['callback', [], (due) => callbacks.fire(due)],
  ];
  return timers.map(([kind, movedBy, fire]) => new Timers({ store, clock, onError, kind, movedBy, fire }));
}

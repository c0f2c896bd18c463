import { hash } from 'node:crypto';
import { isTimestamp, limits, type RecordedTelemetry, type RecordTelemetry } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { checkJsonBounds, invalidInput } from './invalid-input.ts';
import { perform } from './perform.ts';
import { loadThread } from './threads.ts';

/** One with an id is recorded once for each thread and person, whatever it says the second time. */
export function recordTelemetry(
  context: Context,
  caller: Caller,
  { threadId, name, props = {}, id, at }: { threadId: string } & RecordTelemetry,
): Promise<RecordedTelemetry> {
  const actor = actorOf(caller);
  // No caller can send a key with a space in it, so that none of theirs is in the way.
  const once =
    id === undefined
      ? {}
      : { idempotencyKey: `telemetry ${hash('sha256', JSON.stringify([threadId, actor, id]), 'base64url')}` };
  return perform<RecordedTelemetry>(context, caller, {
    verb: 'recordTelemetry',
    input: once,
    attempt: async () => {
      await loadThread(context, caller, threadId);
      checkJsonBounds({ props }, limits.telemetryBytes);
      if (at !== undefined && !isTimestamp(at))
        throw invalidInput([{ pointer: '/at', code: 'format', message: 'Send an RFC 3339 date-time.' }]);
      const now = timestamp(context.clock.now());
      const data = { name, props, ...(id === undefined ? {} : { id }), at: at ?? now };
      return {
        change: { log: { threadId, events: [{ type: 'telemetry.recorded', at: now, actor, data }] } },
        resource: { type: 'thread', id: threadId },
        result: { isRepeated: false },
      };
    },
    reload: async () => ({ isRepeated: true }),
  });
}

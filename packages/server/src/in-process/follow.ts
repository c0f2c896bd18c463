/** Follows the log in this process, without a gap even if the store was unreachable or the reader fell behind. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '@holdpoint/client';
import { defined, errorTable, HoldpointError } from '@holdpoint/protocol';
import { localEvents } from '../delivery/local-events.ts';
import type { Caller } from '../domain/caller.ts';
import type { Engine } from '../engine.ts';
import { inputCheck } from '../http/requests/read-input.ts';
import { eventsRoute, type StreamQuery, wantedEvents } from '../http/streams/event-stream.ts';
import { openEvents } from '../operations/follow-events.ts';

const firstPauseMs = 250;
const longestPauseMs = 8_000;
const checkQuery = inputCheck(eventsRoute);

export function followInProcess(
  { context, hub }: Pick<Engine, 'context' | 'hub'>,
  caller: Caller,
  closing: AbortSignal,
): Transport['events'] {
  return async function* ({ signal, ephemeral, types, onConnection: _, ...asked }) {
    closing.throwIfAborted();
    const leaving = AbortSignal.any([closing, ...(signal ? [signal] : [])]);
    const given = defined({ ...asked, types: types === undefined ? undefined : String(types) });
    const query = checkQuery({ params: {}, query: given, body: {} }).query as StreamQuery;
    const { ephemeral: _none, ...wanted } = wantedEvents(query);
    let after = wanted.after;
    let pauseMs = firstPauseMs;
    while (!leaving.aborted) {
      const over = new AbortController();
      const either = AbortSignal.any([leaving, over.signal]);
      try {
        const opened = await openEvents(context, caller, { ...wanted, ...defined({ after }) });
        after ??= opened.after;
        const following = { orgId: caller.orgId, ...opened, ephemeral: ephemeral === true };
        for await (const event of localEvents(hub, following, either)) {
          if (leaving.aborted) return;
          if ('cursor' in event) after = event.cursor;
          pauseMs = firstPauseMs;
          yield event;
        }
      } catch (error) {
        if (leaving.aborted) return;
        if (!(error instanceof HoldpointError && errorTable[error.code].retryable)) throw error;
      } finally {
        over.abort();
      }
      await sleep(pauseMs, undefined, { signal: leaving }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    }
  };
}

/**
 * Follows the log over HTTP with fetch, because an EventSource sends no key. After a lost connection it continues after
 * the last event.
 */
import {
  type EphemeralEvent,
  type EventFilter,
  HoldpointError,
  type HoldpointService,
  type LogEvent,
} from '@holdpoint/protocol';
import { frameParser, silentMs } from '@holdpoint/protocol/event-frames';
import { isPassing } from './failures.ts';
import { piecesOf } from './files.ts';
import { linkedStop, pause } from './linked-stop.ts';
import { type HttpServiceOptions, httpSend, queryOf } from './request.ts';

/** Reaches the verbs over HTTP or in the process. */
export interface Transport {
  service: HoldpointService;
  events(options: FollowOptions): AsyncIterable<LogEvent | EphemeralEvent>;
}

export interface FollowOptions extends EventFilter {
  /** A cursor, or `start`. Without it, only new events. */
  after?: string;
  /** Also sends ephemeral events. */
  ephemeral?: boolean;
  /** Ends the loop. */
  signal?: AbortSignal;
  /** Called when the connection is lost or back. Missed events follow, except for an inbox token. */
  onConnection?(isThere: boolean): void;
}

const firstPauseMs = 500;
const maxPauseMs = 8_000;

export function httpEvents(at: HttpServiceOptions): Transport['events'] {
  const send = httpSend(at);
  return async function* ({ signal, onConnection = () => {}, after, types, ...filter }) {
    const beginBy = performance.now() + (at.retryForMs ?? 10_000);
    let cursor = after;
    let pauseMs = firstPauseMs;
    let isThere: boolean | undefined;
    while (!signal?.aborted) {
      const stop = linkedStop(signal);
      const silence = setTimeout(stop.abort, silentMs);
      try {
        // The cursor is in the query, because a page of another origin may not send Last-Event-ID.
        const path = `/v1/events${queryOf({ ...filter, types: types?.join(), after: cursor })}`;
        const { body, headers } = await send({ path, signal: stop.signal }).finally(() => clearTimeout(silence));
        if (!headers.get('content-type')?.startsWith('text/event-stream')) {
          // The address is wrong. If it worked before, a proxy answers for the server.
          const detail = `The server at ${at.url} sends no events.`;
          throw new HoldpointError({ code: 'internal', detail, retryable: isThere === false });
        }
        if (isThere === false) onConnection(true);
        isThere = true;
        pauseMs = firstPauseMs;
        const decoder = new TextDecoder();
        const parse = frameParser();
        for await (const piece of piecesOf(body as ReadableStream<Uint8Array>, silentMs))
          for (const { id, data } of parse(decoder.decode(piece, { stream: true }))) {
            // Events that arrived before the signal may still be in the piece.
            if (signal?.aborted) return;
            if (id) cursor = id;
            if (data) yield JSON.parse(data) as LogEvent | EphemeralEvent;
          }
      } catch (error) {
        if (signal?.aborted) return;
        // Stops after a final refusal, and if no connection ever worked, because the address may be wrong.
        const isOver = isThere === undefined && performance.now() >= beginBy;
        if (isOver || (error instanceof HoldpointError && !isPassing(error))) throw error;
      } finally {
        stop.abort();
      }
      if (isThere) onConnection(false);
      isThere &&= false;
      await pause(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
  };
}

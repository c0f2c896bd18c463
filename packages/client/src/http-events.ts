/** The log over HTTP, followed by fetch: an EventSource sends no key. A lost connection goes on after the last event. */
import { type EphemeralEvent, HoldpointError, type LogEvent } from '@holdpoint/protocol';
import { frameParser, silentMs } from '@holdpoint/protocol/event-frames';
import { piecesOf } from './blob-content.ts';
import { isPassing } from './is-passing.ts';
import { linkedStop, pause } from './linked-stop.ts';
import { queryOf } from './request.ts';
import { type HttpServiceOptions, httpSend } from './send.ts';
import type { Transport } from './transport.ts';

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
        // In the query, because a page of another origin may not send Last-Event-ID.
        const path = `/v1/events${queryOf({ ...filter, types: types?.join(), after: cursor })}`;
        const { body, headers } = await send({ path, signal: stop.signal }).finally(() => clearTimeout(silence));
        if (!headers.get('content-type')?.startsWith('text/event-stream')) {
          // The address is wrong; or, where the server was there before, something between us speaks for it.
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
        // What is refused for good; and who has never got through may have the wrong address.
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

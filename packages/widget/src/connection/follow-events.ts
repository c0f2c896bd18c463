/** Follows an event stream. After a lost connection it resumes at the last event, without a gap or a repetition. */
import type { EphemeralEvent, LogEvent } from '@holdpoint/protocol';
import { frameParser, silentMs } from '@holdpoint/protocol/event-frames';
import { ApiError } from './api.ts';

export interface Following {
  open(lastEventId: string | undefined, signal: AbortSignal): Promise<Response>;
  /** The stream is open: later events will arrive. */
  onOpen(isFirst: boolean): Promise<void> | void;
  onEvent(event: LogEvent | EphemeralEvent): void;
  onLost(): void;
  /** Trying again would not help. */
  onRefused(error: ApiError): void;
  signal: AbortSignal;
}

const firstPauseMs = 500;
const longestPauseMs = 15_000;

export async function followEvents({ open, onOpen, onEvent, onLost, onRefused, signal }: Following): Promise<void> {
  let lastEventId: string | undefined;
  let isFirst = true;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      const reply = await open(lastEventId, signal);
      if (!reply.ok || !reply.body) throw new ApiError(reply.status, 'stream', '');
      await onOpen(isFirst);
      isFirst = false;
      pauseMs = firstPauseMs;
      const parse = frameParser();
      await readText(reply.body, (text) => {
        for (const { id, data } of parse(text)) {
          if (id) lastEventId = id;
          if (data) onEvent(JSON.parse(data) as LogEvent | EphemeralEvent);
        }
      });
    } catch (error) {
      if (signal.aborted) return;
      // An unknown cursor or an expired token. Trying again would not help.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)
        return onRefused(error);
    }
    onLost();
    await pauseOrOnline(pauseMs * (0.5 + Math.random() / 2), signal);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

async function readText(body: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  const end = () => void reader.cancel().catch(() => {});
  // The browser reports this at once. The stream itself would stay silent.
  addEventListener('offline', end);
  try {
    while (true) {
      const silence = setTimeout(end, silentMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      onText(value);
    }
  } finally {
    removeEventListener('offline', end);
  }
}

/** Ends early when the network comes back. */
function pauseOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });
}

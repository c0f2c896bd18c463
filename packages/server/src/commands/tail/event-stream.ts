/** Reads /v1/events for as long as it is let, and begins again after a loss where it was. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HoldpointError, type LogEvent } from '@holdpoint/protocol';

export interface Following {
  url: string;
  key: string;
  query: Readonly<Record<string, string>>;
  signal: AbortSignal;
  onEvent(event: LogEvent): void;
  /** The connection is lost, or back. */
  onConnection(isThere: boolean): void;
}

const pausesMs = [500, 1_000, 2_000, 4_000, 8_000];

/** Ends with the signal; throws what is of no use to try again, and whatever went wrong before it has begun. */
export async function followEvents({ url, key, query, signal, onEvent, onConnection }: Following): Promise<void> {
  let lastEventId: string | undefined;
  let losses = 0;
  for (let hasBegun = false; !signal.aborted; ) {
    try {
      const headers = { authorization: `Bearer ${key}`, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) };
      const response = await fetch(`${url}/v1/events?${new URLSearchParams(query)}`, { headers, signal });
      if (!response.ok || !response.body) throw await refusal(response);
      if (losses > 0) onConnection(true);
      losses = 0;
      hasBegun = true;
      await readFrames(response.body, ({ id, data }) => {
        if (data) onEvent(JSON.parse(data) as LogEvent);
        if (id) lastEventId = id;
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!hasBegun || (error instanceof Refusal && !error.isPassing)) throw error;
    }
    if (losses === 0) onConnection(false);
    await sleep(pausesMs[Math.min(losses++, pausesMs.length - 1)], undefined, { signal }).catch(() => {});
  }
}

class Refusal extends HoldpointError {
  readonly isPassing: boolean;
  constructor(status: number, detail: string) {
    super({ code: status === 401 ? 'unauthenticated' : 'invalid-input', detail });
    this.isPassing = status === 429 || status >= 500;
  }
}

async function refusal(response: Response): Promise<Refusal> {
  const told = (await response.json().catch(() => undefined)) as { detail?: string; errors?: { message: string }[] };
  const detail = told?.errors?.[0]?.message ?? told?.detail ?? `The server answered with status ${response.status}.`;
  return new Refusal(response.status, detail);
}

interface Frame {
  id: string;
  data: string;
}

async function readFrames(body: AsyncIterable<Uint8Array>, onFrame: (frame: Frame) => void): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) onFrame({ id: lineOf(frame, 'id'), data: lineOf(frame, 'data') });
  }
}

const lineOf = (frame: string, name: string): string =>
  frame
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
    .join('\n');

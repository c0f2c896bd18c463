/** Tells a turn while it is going on, and in the end whatever was missed of it. */
import type { EphemeralEvent, HoldpointService, LogEvent, StopSignal } from '@holdpoint/protocol';
import { awaitTurn } from './take-turn.ts';
import { type TurnFacts, toShownTurn } from './turn-codec.ts';
import { defaultTimeoutMs } from './turn-schemas.ts';
import { TurnParts } from './ui-message-stream.ts';

export interface StreamedTurn {
  threadId: string;
  /** What happens in the thread since before the turn began. */
  events: AsyncIterable<LogEvent | EphemeralEvent>;
  /** Without it, until the turn ends. */
  timeoutMs?: number;
  signal: StopSignal;
}

export async function* streamTurn(service: HoldpointService, turn: StreamedTurn): AsyncGenerator<string, void> {
  const parts = new TurnParts();
  const { threadId, timeoutMs, signal } = turn;
  const events = turn.events[Symbol.asyncIterator]();
  let isOver = false;
  const ended = (async (): Promise<TurnFacts> => {
    while (true) {
      const facts = await awaitTurn(service, { threadId, timeoutMs: timeoutMs ?? defaultTimeoutMs, signal });
      if (facts.turn.isSettled || timeoutMs !== undefined || isOver || signal.aborted) return facts;
    }
  })();
  // It is awaited below; until then nobody looks.
  ended.catch(() => {});
  yield* texts(parts.begin());
  while (true) {
    const heard = await Promise.race([
      events.next(),
      ended.then(
        () => undefined,
        () => undefined,
      ),
    ]);
    if (heard === undefined || heard.done) break;
    yield* texts(parts.hear(heard.value));
  }
  isOver = true;
  const facts = await ended;
  yield* texts(parts.end(toShownTurn(facts), facts.said, facts.asked));
  yield '[DONE]';
}

const texts = (chunks: readonly object[]): string[] => chunks.map((chunk) => JSON.stringify(chunk));

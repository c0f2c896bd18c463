/** Streams a turn as a UI message stream of the AI SDK: events of the thread as the parts of one message. */
import type { EphemeralEvent, HoldpointService, Interaction, LogEvent, Message, StopSignal } from '@holdpoint/protocol';
import { textOfMessage } from '@holdpoint/protocol';
import {
  awaitTurn,
  type TurnFacts,
  toolCallsIn,
  toolResultsIn,
  toShownInteraction,
  toShownTurn,
} from './request-codec.ts';
import { defaultTimeoutMs, type ShownTurn } from './schemas.ts';

export const streamHeaders = { 'x-vercel-ai-ui-message-stream': 'v1' };

type Chunk = { type: string } & Record<string, unknown>;

/** Sends each part once, from the live event or from the log at the end of the turn. */
export class TurnParts {
  /** The text already sent, by message. */
  readonly #texts = new Map<string, string>();
  readonly #ended = new Set<string>();
  readonly #calls = new Set<string>();
  #isInStep = false;

  begin(): Chunk[] {
    return [{ type: 'start' }];
  }

  hear(event: LogEvent | EphemeralEvent): Chunk[] {
    const { type, data } = event;
    if (type === 'message.delta') {
      const { messageId, text } = data;
      return typeof messageId === 'string' && typeof text === 'string' ? this.#piece(messageId, text) : [];
    }
    const message = 'message' in data ? data.message : undefined;
    if (message?.role !== 'agent') return [];
    if (type === 'message.created' && message.state === 'streaming') return this.#open(message.id);
    if (type === 'message.created' || type === 'message.completed') return this.#whole(message);
    return type === 'message.cancelled' ? this.#breakOff(message.id) : [];
  }

  end({ status, error }: ShownTurn, said: readonly Message[], asked: Interaction | undefined): Chunk[] {
    const missed = said.flatMap((message) =>
      message.state === 'streaming' ? this.#soFar(message) : this.#whole(message),
    );
    const question =
      status === 'interaction_required' && asked
        ? [{ type: 'data-interaction', id: asked.id, data: { interactionId: asked.id, ...toShownInteraction(asked) } }]
        : [];
    return [
      ...missed,
      ...this.#endTexts(),
      ...question,
      ...this.#endStep(),
      ...(error ? [{ type: 'error', errorText: error.message }] : []),
      { type: 'finish', finishReason: finishReasons[status], messageMetadata: { status } },
    ];
  }

  /** A reply of the model is a step, with the calls that follow its text. */
  #open(id: string): Chunk[] {
    const chunks = [...this.#endTexts(), ...this.#endStep(), { type: 'start-step' }, { type: 'text-start', id }];
    this.#isInStep = true;
    this.#texts.set(id, '');
    return chunks;
  }

  /** Skips pieces of a message whose start was missed. Its end has the whole text. */
  #piece(id: string, delta: string): Chunk[] {
    const before = this.#texts.get(id);
    if (before === undefined || this.#ended.has(id) || delta === '') return [];
    this.#texts.set(id, before + delta);
    return [{ type: 'text-delta', id, delta }];
  }

  #whole(message: Message): Chunk[] {
    const { id } = message;
    if (this.#ended.has(id)) return [];
    const chunks = [...this.#soFar(message), ...this.#tools(message)];
    this.#ended.add(id);
    return this.#texts.has(id) ? [...chunks, { type: 'text-end', id }] : chunks;
  }

  /** Sends the rest of a text. A text that no longer begins with the sent part cannot be corrected. */
  #soFar(message: Message): Chunk[] {
    const { id } = message;
    const text = textOfMessage(message);
    const begun = text === '' || this.#texts.has(id) ? [] : this.#open(id);
    const sent = this.#texts.get(id) ?? '';
    return [...begun, ...(text.startsWith(sent) ? this.#piece(id, text.slice(sent.length)) : [])];
  }

  #tools(message: Message): Chunk[] {
    const calls = toolCallsIn(message).filter(({ toolCallId }) => !this.#calls.has(toolCallId));
    const inStep = calls.length === 0 || this.#isInStep ? [] : [{ type: 'start-step' }];
    this.#isInStep ||= calls.length > 0;
    for (const { toolCallId } of calls) this.#calls.add(toolCallId);
    return [
      ...inStep,
      ...calls.map(({ args, ...call }) => ({ type: 'tool-input-available', ...call, input: args })),
      // Skips results for calls of an earlier turn.
      ...toolResultsIn(message)
        .filter(({ toolCallId }) => this.#calls.has(toolCallId))
        .map((result) => ({ type: 'tool-output-available', ...result })),
    ];
  }

  /** Ends a cancelled message. The model repeats it in a new step. */
  #breakOff(id: string): Chunk[] {
    if (!this.#texts.has(id) || this.#ended.has(id)) return [];
    this.#ended.add(id);
    return [{ type: 'text-end', id }, { type: 'reset-step' }];
  }

  #endTexts(): Chunk[] {
    const open = [...this.#texts.keys()].filter((id) => !this.#ended.has(id));
    for (const id of open) this.#ended.add(id);
    return open.map((id) => ({ type: 'text-end', id }));
  }

  #endStep(): Chunk[] {
    const ended = this.#isInStep ? [{ type: 'finish-step' }] : [];
    this.#isInStep = false;
    return ended;
  }
}

const finishReasons: Readonly<Record<ShownTurn['status'], string>> = {
  complete: 'stop',
  interaction_required: 'tool-calls',
  running: 'other',
  failed: 'error',
};

interface StreamedTurn {
  threadId: string;
  /** Events of the thread, followed since before the turn began. */
  events: AsyncIterable<LogEvent | EphemeralEvent>;
  /** If left out, the stream lasts until the turn ends. */
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
  // Its rejection is thrown below, by `await ended`.
  const settled = ended.then(nothing, nothing);
  yield* texts(parts.begin());
  while (true) {
    const heard = await Promise.race([events.next(), settled]);
    if (heard === undefined || heard.done) break;
    yield* texts(parts.hear(heard.value));
  }
  isOver = true;
  const facts = await ended;
  yield* texts(parts.end(toShownTurn(facts), facts.said, facts.asked));
  yield '[DONE]';
}

const nothing = () => undefined;
const texts = (chunks: readonly object[]): string[] => chunks.map((chunk) => JSON.stringify(chunk));

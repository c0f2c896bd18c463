/** An agent that speaks AG-UI and asks by Holdpoint: the events of one run. */
import type { BaseEvent, EventType, Interrupt, ResumeEntry, RunAgentInput } from '@ag-ui/core';
import type { Holdpoint } from '@holdpoint/client';
import { defined, HoldpointError, type Interaction, type ReadingOptions } from '@holdpoint/protocol';
import { type Answering, isSettled } from '../shared/answering.ts';
import type { Place } from '../shared/ask-once.ts';
import { type AskInTurn, takeTurn } from '../shared/turn.ts';
import { answerOf, interruptOf } from './interrupt-of.ts';

export interface AgentEventsOptions extends ReadingOptions {
  /** Of Holdpoint: where the questions stand. */
  thread: Place['thread'];
  /** Who is at the other end and answers by resuming. Without it nobody does, and questions are answered in Holdpoint. */
  answering?: Answering | undefined;
}

export interface AgentWork {
  /** Waits over runs: this run ends with an interrupt, and the work begins again in the run that answers it. */
  ask: AskInTurn;
  /** Sends an event of the run, such as a piece of text. */
  emit(event: BaseEvent): void;
  input: RunAgentInput;
}

/** Yields what work emits, between the start of the run and its end: with its result, with interrupts, or with an error. */
export async function* agentEvents(
  hp: Holdpoint,
  input: RunAgentInput,
  { thread, answering, countDeadlineAsApproval }: AgentEventsOptions,
  work: (run: AgentWork) => Promise<unknown>,
): AsyncGenerator<BaseEvent> {
  const { threadId, runId } = input;
  const emitted: BaseEvent[] = [];
  let wake = () => {};
  const emit = (event: BaseEvent) => {
    emitted.push(event);
    wake();
  };

  yield eventOf('RUN_STARTED', { threadId, runId });
  let end: BaseEvent | undefined;
  void finish().then((event) => {
    end = event;
    wake();
  });
  while (!end || emitted.length > 0) {
    const event = emitted.shift();
    if (event) yield event;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield end;

  async function finish(): Promise<BaseEvent> {
    try {
      for (const entry of input.resume ?? []) await take(entry);
      const place = { thread, run: threadId, countDeadlineAsApproval };
      const turn = await takeTurn(hp, place, (ask) => work({ ask, emit, input }));
      const outcome =
        'open' in turn
          ? { outcome: { type: 'interrupt', interrupts: turn.open.map(toInterrupt) } }
          : { outcome: { type: 'success' }, ...defined({ result: turn.result }) };
      return eventOf('RUN_FINISHED', { threadId, runId, ...outcome });
    } catch (error) {
      const code = error instanceof HoldpointError ? { code: error.code } : {};
      return eventOf('RUN_ERROR', { message: sentenceOf(error), ...code });
    }
  }

  /** Only of questions of this thread of AG-UI, which were asked here: nobody answers another's by naming it. */
  async function take(entry: ResumeEntry): Promise<void> {
    const interaction = await hp.get(entry.interruptId);
    const isHere = interaction.threadId === (typeof thread === 'string' ? thread : thread.id);
    if (interaction.run?.id !== threadId || !isHere)
      throw new Error(`This thread has no interrupt ${entry.interruptId}.`);
    if (interaction.status !== 'pending') return;
    if (!answering) {
      if (entry.status === 'cancelled') return;
      throw new Error('Answers are not taken here, only in Holdpoint.');
    }
    const { hp: taker, responder } = answering;
    const to = { interactionId: interaction.id, ...defined({ responder }) };
    const answered =
      entry.status === 'cancelled'
        ? taker.declineInteraction(to)
        : taker.submitAnswer({ ...to, ...answerOf(interaction, entry) });
    await answered.catch((error: unknown) => {
      if (!isSettled(error)) throw error;
    });
  }

  function toInterrupt(interaction: Interaction): Interrupt {
    const calls = input.messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
    return interruptOf(interaction, new Set(calls.map(({ id }) => id)));
  }
}

const eventOf = (type: `${EventType}`, rest: object): BaseEvent => ({ type: type as EventType, ...rest });

function sentenceOf(error: unknown): string {
  if (!(error instanceof HoldpointError)) return error instanceof Error ? error.message : String(error);
  const problems = error.fault.problems ?? [];
  return [error.message, ...problems.map(({ pointer, message }) => `${pointer}: ${message}`)].join(' ');
}

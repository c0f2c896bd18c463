/** An AG-UI agent that asks people through Holdpoint: yields the events of one run. */
import type { BaseEvent, EventType, Interrupt, ResumeEntry, RunAgentInput } from '@ag-ui/core';
import type { Holdpoint } from '@holdpoint/client';
import {
  defined,
  type FreeObject,
  fieldsToJsonSchema,
  HoldpointError,
  type Interaction,
  isObject,
  pickField,
  type ReadingOptions,
  type SubmitAnswer,
} from '@holdpoint/protocol';
import type { Place } from '../shared/ask-once.ts';
import { contentOf } from '../shared/outcomes.ts';
import { type Answering, type AskInTurn, giveAnswer, takeTurn } from '../shared/turn.ts';
import { toolCallsIn } from './run-with-people.ts';

export interface AgentEventsOptions extends ReadingOptions {
  /** The Holdpoint thread that gets the questions. */
  thread: Place['thread'];
  /** The person who answers by resuming the run. Without it, questions are answered only in Holdpoint. */
  answering?: Answering | undefined;
}

export interface AgentWork {
  /** Ends the run with an interrupt if nobody has answered yet. The run that resumes starts the work again. */
  ask: AskInTurn;
  /** Sends an event of the run, such as a piece of text. */
  emit(event: BaseEvent): void;
  input: RunAgentInput;
}

/** Yields the start of the run, the events that `work` emits, and the end: a result, interrupts, or an error. */
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
      for (const entry of input.resume ?? []) await takeAnswer(entry);
      const place = { thread, run: threadId, countDeadlineAsApproval };
      const turn = await takeTurn(hp, place, (ask) => work({ ask, emit, input }));
      const outcome =
        'open' in turn
          ? { outcome: { type: 'interrupt', interrupts: turn.open.map(toInterrupt) } }
          : { outcome: { type: 'success' }, ...defined({ result: turn.result }) };
      return eventOf('RUN_FINISHED', { threadId, runId, ...outcome });
    } catch (error) {
      const code = error instanceof HoldpointError ? { code: error.code } : {};
      return eventOf('RUN_ERROR', { message: messageOf(error), ...code });
    }
  }

  /** Only for questions of this AG-UI thread: a client must not answer another thread's question by its id. */
  async function takeAnswer(entry: ResumeEntry): Promise<void> {
    const interaction = await hp.get(entry.interruptId);
    const isHere = interaction.threadId === (typeof thread === 'string' ? thread : thread.id);
    if (interaction.run?.id !== threadId || !isHere)
      throw new Error(`This thread has no interrupt ${entry.interruptId}.`);
    if (interaction.status !== 'pending') return;
    if (!answering) {
      if (entry.status === 'cancelled') return;
      throw new Error('Answers are not accepted here, only in Holdpoint.');
    }
    const answer = entry.status === 'cancelled' ? ({ decline: true } as const) : answerOf(interaction, entry);
    await giveAnswer(answering, interaction, answer);
  }

  function toInterrupt(interaction: Interaction): Interrupt {
    return interruptOf(interaction, new Set(toolCallsIn(input.messages).map(({ id }) => id)));
  }
}

const eventOf = (type: `${EventType}`, rest: object): BaseEvent => ({ type: type as EventType, ...rest });

function messageOf(error: unknown): string {
  if (!(error instanceof HoldpointError)) return error instanceof Error ? error.message : String(error);
  const problems = error.fault.problems ?? [];
  return [error.message, ...problems.map(({ pointer, message }) => `${pointer}: ${message}`)].join(' ');
}

/** `toolCallIds` are the calls in the messages of the run. */
export function interruptOf(interaction: Interaction, toolCallIds: ReadonlySet<string> = new Set()): Interrupt {
  const { id, kind, title, body, fields, payloadSchema, deadline, run } = interaction;
  const toolCallId = run?.toolCallId;
  const isOfCall = toolCallId !== undefined && toolCallIds.has(toolCallId);
  return {
    id,
    reason: isOfCall ? 'tool_call' : kind === 'approval' ? 'confirmation' : 'input_required',
    message: body === undefined ? title : `${title}\n\n${body}`,
    ...defined({ toolCallId: isOfCall ? toolCallId : undefined, expiresAt: deadline?.at }),
    responseSchema: (payloadSchema ?? fieldsToJsonSchema(fields)) as Record<string, unknown>,
    metadata: { holdpoint: contentOf(interaction) },
  };
}

/** Reads values by field name. An approval also accepts true, false and `{ approved, editedArgs }`. */
export function answerOf(interaction: Interaction, { payload }: Pick<ResumeEntry, 'payload'>): SubmitAnswer {
  const { kind, fields, payloadSchema } = interaction;
  if (payloadSchema && fields.length === 0) return { payload };
  const verdict = kind === 'approval' ? verdictOf(interaction, payload) : undefined;
  return { values: verdict ?? (isObject(payload) ? payload : {}) };
}

function verdictOf(interaction: Interaction, payload: unknown): FreeObject | undefined {
  const { approved, editedArgs } = isObject(payload) ? payload : { approved: payload, editedArgs: undefined };
  if (typeof approved !== 'boolean') return undefined;
  const pick = pickField(interaction);
  const option = pick?.options.find(({ kind }) => kind === (approved ? 'allow_once' : 'reject_once'));
  return { ...(isObject(editedArgs) ? editedArgs : {}), ...(pick && option ? { [pick.name]: option.value } : {}) };
}

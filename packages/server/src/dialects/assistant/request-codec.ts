/** Takes a turn: posts or answers with what the person sent, waits, and shows the thread as a turn. */
import {
  closedCodes,
  defined,
  type FreeObject,
  fail,
  type HoldpointService,
  type Interaction,
  isBlankText,
  isInputField,
  isObject,
  isSecretField,
  type LogEvent,
  type Message,
  onFault,
  pickField,
  type Run,
  type StopSignal,
  type SubmitAnswer,
  type Turn,
  textOfMessage,
  type Write,
} from '@holdpoint/protocol';
import { refuse } from '../pointers.ts';
import { decidingField, matchAnswer } from './answer-codec.ts';
import type { ShownTurn, TurnBody } from './schemas.ts';

export interface TurnFacts {
  turn: Turn;
  /** The agent's messages, in order, each once. */
  said: readonly Message[];
  /** The question that its run waits for. */
  asked: Interaction | undefined;
}

export function toShownTurn({ turn, said, asked }: TurnFacts): ShownTurn {
  const { run } = turn;
  const assistantText = said.map(textOfMessage).filter(Boolean).join('\n\n');
  const status = statusOf(turn, asked);
  return {
    status,
    assistantText,
    toolCalls: said.flatMap(toolCallsIn),
    interaction: status === 'interaction_required' && asked ? toShownInteraction(asked) : null,
    error: status === 'failed' && run ? errorOf(run) : null,
  };
}

function statusOf({ isSettled, run }: Turn, asked: Interaction | undefined): ShownTurn['status'] {
  if (!isSettled) return 'running';
  switch (run?.status) {
    // The thread has no messages yet.
    case undefined:
    case 'completed':
      return 'complete';
    case 'failed':
    case 'cancelled':
      return 'failed';
    case 'waiting':
      if (asked) return 'interaction_required';
      return run.waitingFor?.some(({ type }) => type === 'message') ? 'complete' : 'running';
    case 'running':
      return 'running';
  }
}

function errorOf({ status, error, cancelReason }: Run): ShownTurn['error'] {
  if (status === 'cancelled') return { message: cancelReason ?? 'The turn was cancelled.', code: 'cancelled' };
  return { message: error?.message ?? 'The turn has failed.', code: (error?.code ?? 'failed').replaceAll('-', '_') };
}

/**
 * Shows the tool call as it was sent, or derives it from the question. An approval is always derived: an agent writes the
 * tool call, and a person must see the question that they approve.
 */
export function toShownInteraction(interaction: Interaction): NonNullable<ShownTurn['interaction']> {
  const { id, kind, run, title, origin, original } = interaction;
  const isAsCalled = original?.dialect === 'assistant' && kind !== 'approval';
  const { toolName, toolCallId, description, options } = isAsCalled ? original.sent : {};
  return {
    toolCallId: typeof toolCallId === 'string' ? toolCallId : (run?.toolCallId ?? id),
    toolName: typeof toolName === 'string' ? toolName : (origin.reference ?? 'ask'),
    description: typeof description === 'string' ? description : title,
    options: Array.isArray(options) ? options : optionsOf(interaction),
  };
}

/** The options of a choice or approval, or of the only list of a form. */
function optionsOf({ kind, fields }: Interaction): { id: string; name: string }[] {
  const lists = fields.filter((field) => 'options' in field);
  const field = pickField({ kind, fields }) ?? (lists.length === 1 ? lists[0] : undefined);
  return (field?.options ?? []).map(({ value, label }) => ({ id: value, name: label }));
}

/** Reads the tool calls that an assistant records as blocks. Blocks of other authors may have any shape. */
export const toolCallsIn = ({ blocks }: Message): ShownTurn['toolCalls'] =>
  blocks.flatMap(({ type, payload: { toolName, toolCallId, args = {} } }) =>
    type === 'tool_call' && typeof toolName === 'string' && typeof toolCallId === 'string'
      ? [{ toolName, toolCallId, args }]
      : [],
  );

export const toolResultsIn = ({ blocks }: Message): { toolCallId: string; output: unknown }[] =>
  blocks.flatMap(({ type, payload: { toolCallId, result = null } }) =>
    type === 'tool_result' && typeof toolCallId === 'string' ? [{ toolCallId, output: result }] : [],
  );

/** The agent's messages since the last message or answer of a person. `before` are the messages before the events. */
export function messagesIn(events: readonly LogEvent[], before: readonly Message[] = []): Message[] {
  const last = events.findLastIndex(isWord);
  const said = new Map<string, Message>(last < 0 ? before.map((message) => [message.id, message]) : []);
  for (const { type, data } of events.slice(last + 1)) {
    const message = 'message' in data ? data.message : undefined;
    if (message?.role !== 'agent') continue;
    if (type === 'message.cancelled') said.delete(message.id);
    else said.set(message.id, message);
  }
  return [...said.values()];
}

function isWord({ type, data }: LogEvent): boolean {
  if (type === 'message.created') return isObject(data.message) && data.message.role === 'user';
  return type === 'interaction.answered' || type === 'interaction.declined' || type === 'interaction.expired';
}

/** The default agent of a chat. */
const agent = 'assistant';

export async function takeTurn(
  service: HoldpointService,
  { threadId, body, write }: { threadId: string; body: TurnBody; write: Write },
): Promise<void> {
  // As a message it would cancel the question without a text.
  if (body.message !== undefined && isBlankText(body.message)) refuse('/message', 'required', 'The message is blank.');
  const thread = await service.getThread({ threadId });
  if (thread.agent === undefined) await service.updateThread({ threadId, agent });
  const asked = await waitingQuestion(service, await service.waitForTurn({ threadId, timeoutMs: 0 }));
  const { message, selectedOptionId, values } = body;
  const exact = selectedOptionId !== undefined || values !== undefined;
  if (exact && !asked) fail('version-conflict', 'This chat has no pending question.');
  const answer = asked && (exact ? exactAnswer(asked, body) : matchAnswer(asked, message ?? ''));
  if (asked && answer) {
    const input = { interactionId: asked.id, ...toAnswer(asked, answer, message), ...write };
    // A text that came too late to be an answer is a message.
    const late = exact ? [] : ([...closedCodes, 'already-voted'] as const);
    if (
      await onFault(
        late,
        () => service.submitAnswer(input),
        () => undefined,
      )
    )
      return;
  }
  if (message === undefined) return refuse('/message', 'required', 'Send a message, or answer the pending question.');
  await service.postMessage({ threadId, role: 'user', text: message, ...write });
}

/** The pending question of the open run. */
async function waitingQuestion(service: HoldpointService, { run }: Turn): Promise<Interaction | undefined> {
  if (run?.status !== 'waiting') return undefined;
  for (const wait of run.waitingFor ?? []) {
    if (wait.type !== 'interaction') continue;
    const interaction = await service.getInteraction({ interactionId: wait.interactionId });
    if (interaction.status === 'pending') return interaction;
  }
  return undefined;
}

function exactAnswer(asked: Interaction, { selectedOptionId, values }: TurnBody): FreeObject {
  if (selectedOptionId === undefined) return values ?? {};
  const field = decidingField(asked);
  const isOption = field && 'options' in field && field.options.some(({ value }) => value === selectedOptionId);
  if (!isOption)
    refuse('/selectedOptionId', 'option', `"${selectedOptionId}" is not an option of the pending question.`);
  const picked = field?.type === 'multi_select' ? [selectedOptionId] : selectedOptionId;
  return { ...values, [field?.name ?? '']: picked };
}

/** The answer keeps the text as metadata, unless a field is secret. */
function toAnswer(asked: Interaction, values: FreeObject, text: string | undefined): SubmitAnswer {
  const hasSecret = asked.fields.some((field) => isInputField(field) && isSecretField(field));
  return { values, ...defined({ metadata: text === undefined || hasSecret ? undefined : { text } }) };
}

/** Waits for the turn to end or for the time limit, and reads the messages of the turn. */
export async function awaitTurn(
  service: HoldpointService,
  { threadId, timeoutMs, signal }: { threadId: string; timeoutMs: number; signal?: StopSignal },
): Promise<TurnFacts> {
  const turn = await service.waitForTurn({ threadId, timeoutMs, ...defined({ signal }) });
  const [asked, said] = await Promise.all([waitingQuestion(service, turn), messagesSince(service, threadId, turn)]);
  return { turn, said, asked };
}

async function messagesSince(service: HoldpointService, threadId: string, { run }: Turn): Promise<Message[]> {
  // Reads from the input of the turn on. Without it, earlier messages would be repeated.
  let said: Message[] = [];
  for (let after: number | undefined = run ? run.deliveredSeq - 1 : 0; after !== undefined; ) {
    const { data, next } = await service.readLog({ threadId, after });
    said = messagesIn(data, said);
    after = next === undefined ? undefined : Number(next);
  }
  const whole = (message: Message) =>
    message.state === 'streaming' ? service.getMessage({ messageId: message.id }) : message;
  return Promise.all(said.map(whole));
}

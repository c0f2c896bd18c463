/** A turn as it is shown there, made of what the agent said and asked since the person's last word. */
import {
  type Interaction,
  isObject,
  type LogEvent,
  type Message,
  pickField,
  type Run,
  type Turn,
} from '@holdpoint/protocol';
import type { ShownInteraction, ShownToolCall, ShownTurn } from './turn-schemas.ts';

export interface TurnFacts {
  turn: Turn;
  /** What the agent said, in order, each message once. */
  said: readonly Message[];
  /** The question that its run waits for. */
  asked: Interaction | undefined;
}

export function toShownTurn({ turn, said, asked }: TurnFacts): ShownTurn {
  const { run } = turn;
  const assistantText = said.map(textOf).filter(Boolean).join('\n\n');
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
    // Nothing was said yet.
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
 * As the tool was called, or derived from a question that was asked in other words. An approval is always derived: an agent
 * writes the call, and a person must see the question that they approve.
 */
export function toShownInteraction(interaction: Interaction): ShownInteraction {
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

/** Of what is picked; of a form with a single list, of that. */
function optionsOf({ kind, fields }: Interaction): { id: string; name: string }[] {
  const lists = fields.filter((field) => 'options' in field);
  const field = pickField({ kind, fields }) ?? (lists.length === 1 ? lists[0] : undefined);
  return (field?.options ?? []).map(({ value, label }) => ({ id: value, name: label }));
}

export const textOf = ({ blocks }: Message): string =>
  blocks
    .flatMap(({ type, payload: { text } }) => (type === 'message' && typeof text === 'string' ? [text] : []))
    .join('\n\n');

/** The blocks in which an assistant notes what it called; what others wrote may be of any shape. */
export const toolCallsIn = ({ blocks }: Message): ShownToolCall[] =>
  blocks.flatMap(({ type, payload: { toolName, toolCallId, args = {} } }) =>
    type === 'tool_call' && typeof toolName === 'string' && typeof toolCallId === 'string'
      ? [{ toolName, toolCallId, args }]
      : [],
  );

export const toolResultsIn = ({ blocks }: Message): { toolCallId: string; output: unknown }[] =>
  blocks.flatMap(({ type, payload: { toolCallId, result = null } }) =>
    type === 'tool_result' && typeof toolCallId === 'string' ? [{ toolCallId, output: result }] : [],
  );

/** Of a stretch of the log, and of what was said before it: what the agent has said since a person last said or answered anything. */
export function saidIn(events: readonly LogEvent[], before: readonly Message[] = []): Message[] {
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

/** Which events an agent should hear of, and what it is told. */
import type { EventType, Input, Interaction, LogEvent, Message } from '@holdpoint/protocol';
import { interactionSummary } from '../interaction-summary.ts';

const inputTypes = {
  'message.created': 'message',
  'interaction.answered': 'answer',
  'interaction.declined': 'decline',
  'interaction.expired': 'expiry',
  'interaction.cancelled': 'cancellation',
  'run.woken': 'wake',
} as const satisfies Partial<Record<EventType, Input['type']>>;

export const inputEventTypes = Object.keys(inputTypes) as (keyof typeof inputTypes)[];

/** The reader of the log that takes them in. */
export const inputReader = { type: 'reader', id: 'dispatch' } as const;

const isInputType = (type: EventType): type is keyof typeof inputTypes => type in inputTypes;

/** They matter only to a run that waits, and so only where there is an agent. */
const agentTypes: readonly EventType[] = ['interaction.cancelled', 'run.woken'];

/** Of messages only a person's: what agents, tools and the system said needs no agent. */
export function isInput({ type, data }: LogEvent, { hasAgent }: { hasAgent: boolean }): boolean {
  if (!isInputType(type) || (!hasAgent && agentTypes.includes(type))) return false;
  return type !== 'message.created' || messageOf(data)?.role === 'user';
}

/** An interaction that is closed does not change, so that it is told as it was when this happened. */
export function toInput(event: LogEvent, interaction: Interaction | undefined): Input | undefined {
  const { cursor, type, seq, at, actor, data } = event;
  if (!isInputType(type)) return undefined;
  const message = messageOf(data);
  return {
    id: cursor,
    type: inputTypes[type],
    seq,
    at,
    actor,
    ...(message ? { message } : {}),
    ...(interaction ? { interaction: toldOf(interaction) } : {}),
  };
}

const messageOf = (data: LogEvent['data']): Message | undefined => ('message' in data ? data.message : undefined);

function toldOf(interaction: Interaction): NonNullable<Input['interaction']> {
  const { status, answer } = interaction;
  return { ...interactionSummary(interaction), status, ...(answer ? { answer } : {}) };
}

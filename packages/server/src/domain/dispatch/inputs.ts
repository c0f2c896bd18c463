/** The events that are inputs of an agent, and the inputs that its workers get. */
import {
  defined,
  type EventType,
  type Input,
  type Interaction,
  type LogEvent,
  type Message,
} from '@holdpoint/protocol';
import { interactionSummary } from '../state.ts';

const inputTypes = {
  'message.created': 'message',
  'interaction.answered': 'answer',
  'interaction.declined': 'decline',
  'interaction.expired': 'expiry',
  'interaction.cancelled': 'cancellation',
  'run.woken': 'wake',
} as const satisfies Partial<Record<EventType, Input['type']>>;

export const inputEventTypes = Object.keys(inputTypes) as (keyof typeof inputTypes)[];

/** The document with the cursor of an org's input reader. */
export const inputReader = { type: 'reader', id: 'dispatch' } as const;

const isInputType = (type: EventType): type is keyof typeof inputTypes => type in inputTypes;

/** Inputs only of threads with an agent, because they matter only to a run that waits. */
const agentTypes: readonly EventType[] = ['interaction.cancelled', 'run.woken'];

/** Only messages of people are inputs, not those of agents, tools and the system. */
export function isInput({ type, data }: LogEvent, { hasAgent }: { hasAgent: boolean }): boolean {
  if (!isInputType(type) || (!hasAgent && agentTypes.includes(type))) return false;
  return type !== 'message.created' || messageOf(data)?.role === 'user';
}

/** A closed interaction does not change, so a worker gets it as it was at the time of the event. */
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
    ...defined({ message, interaction: interaction && shownInteraction(interaction) }),
  };
}

const messageOf = (data: LogEvent['data']): Message | undefined => ('message' in data ? data.message : undefined);

function shownInteraction(interaction: Interaction): NonNullable<Input['interaction']> {
  const { status, answer } = interaction;
  return { ...interactionSummary(interaction), status, ...defined({ answer }) };
}

/** Our events in the envelope of Opengram: chats, messages and requests. */
import type { Answer, EventType, FreeObject, Interaction, Kind, LogEvent, Message, Thread } from '@holdpoint/protocol';

export interface Envelope {
  id: string;
  type: 'chat.created' | 'message.created' | 'request.created' | 'request.resolved' | 'request.cancelled';
  timestamp: string;
  payload: FreeObject;
}

const requestTypes: Record<Kind, string> = { choice: 'choice', approval: 'choice', input: 'text_input', form: 'form' };

/** All others have no counterpart there. */
export const envelopeEventTypes: readonly EventType[] = [
  'thread.created',
  'message.created',
  'interaction.created',
  'interaction.answered',
  'interaction.declined',
  'interaction.cancelled',
  'interaction.expired',
];

/** Undefined where Opengram has no such event. */
export function toEnvelope(event: LogEvent, interaction?: Interaction): Envelope | undefined {
  const told = tell(event, interaction);
  return told && { id: event.cursor, type: told[0], timestamp: event.at, payload: told[1] };
}

function tell(event: LogEvent, interaction?: Interaction): [Envelope['type'], FreeObject] | undefined {
  const { type, threadId: chatId, data } = event;
  if (type === 'thread.created') return ['chat.created', { chatId, title: (data.thread as Thread).title ?? null }];
  if (type === 'message.created') return ['message.created', messagePayload(chatId, data.message as Message)];
  if (!interaction) return undefined;
  const request = {
    chatId,
    requestId: interaction.id,
    type: requestTypes[interaction.kind],
    title: interaction.title,
  };
  const trace = interaction.trace ?? null;
  switch (type) {
    case 'interaction.created':
      return ['request.created', request];
    case 'interaction.answered': {
      const resolutionPayload = toResolution(interaction, data.answer as Answer);
      return ['request.resolved', { ...request, status: 'resolved', resolutionPayload, trace }];
    }
    case 'interaction.declined':
    case 'interaction.cancelled':
    case 'interaction.expired':
      // A client of Opengram knows no other end.
      return ['request.cancelled', { ...request, status: 'cancelled', resolutionPayload: null, trace }];
    default:
      return undefined;
  }
}

function messagePayload(chatId: string, { id: messageId, role, blocks, by }: Message): FreeObject {
  const texts = blocks.flatMap(({ payload }) => (typeof payload?.text === 'string' ? [payload.text] : []));
  return { chatId, messageId, role, senderId: by.id, content: texts.join('\n\n') };
}

function toResolution({ kind, fields }: Interaction, { values, payload }: Answer): FreeObject {
  const [first] = Object.values(values);
  if (kind === 'choice') return { selectedOptionIds: Array.isArray(first) ? first : [first] };
  // The arguments that a person may have edited go with the decision.
  if (kind === 'approval') return { selectedOptionIds: [values.decision], values };
  if (kind === 'input' && fields.length === 1 && typeof first === 'string') return { text: first };
  return { values, ...(payload === undefined ? {} : { payload }) };
}

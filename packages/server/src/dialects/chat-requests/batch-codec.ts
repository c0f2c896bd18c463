/** A batch there and here: what a worker reads is text. */
import type { Batch, Input, Interaction, Message, Thread } from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';
import { toResolution } from './answer-codec.ts';
import { chatFacts } from './chat-codec.ts';
import { primaryUser, senderOf, textOf, traceOf } from './message-codec.ts';
import { requestType } from './question-codec.ts';
import { isResolution, resolvedBy, toRequest } from './request-codec.ts';
import { RequestSchema } from './request-schemas.ts';

const { id, type, status, resolution_payload, trace } = RequestSchema.properties;

const ItemSchema = Type.Object({
  inputId: Type.String(),
  sourceKind: Type.Enum(['user_message', 'request_resolved']),
  sourceId: Type.String(),
  senderId: Type.String(),
  content: Type.String(),
  traceKind: Type.Optional(Type.String()),
  mediaIds: Type.Array(Type.String()),
  attachmentNames: Type.Array(Type.String()),
  request: Type.Optional(Type.Object({ id, type, status, resolution_payload, trace })),
});

export const DispatchBatchSchema = Type.Object({
  batchId: Type.String(),
  chatId: Type.String(),
  kind: Type.Enum(['user_batch', 'request_batch']),
  agentIdHint: Type.Union([Type.String(), Type.Null()]),
  compiledContent: Type.String(),
  items: Type.Array(ItemSchema),
  attachments: Type.Array(Type.Unknown()),
});

type Item = Static<typeof ItemSchema>;
export type DispatchBatch = Static<typeof DispatchBatchSchema>;

/** The interactions are those of its outcomes, which say less than is needed to tell what was asked. */
export function toBatch(batch: Batch, thread: Thread, interactions: readonly Interaction[]): DispatchBatch {
  const items = batch.inputs.flatMap((input): Item[] => {
    if (input.message) return [messageItem(input, input.message)];
    const interaction = interactions.find((one) => one.id === input.interaction?.id);
    return interaction ? [outcomeItem(input, interaction)] : [];
  });
  return {
    batchId: batch.id,
    chatId: batch.threadId,
    kind: batch.kind === 'outcomes' ? 'request_batch' : 'user_batch',
    agentIdHint: chatFacts(thread).agentIds[0] ?? null,
    compiledContent: items.map(({ content }) => content).join('\n\n'),
    items,
    attachments: [],
  };
}

const noMedia = () => ({ mediaIds: [], attachmentNames: [] });

function messageItem(input: Input, message: Message): Item {
  const kind = traceOf(message)?.kind;
  return {
    inputId: input.id,
    sourceKind: 'user_message',
    sourceId: message.id,
    senderId: senderOf(message),
    content: textOf(message),
    ...(typeof kind === 'string' ? { traceKind: kind } : {}),
    ...noMedia(),
  };
}

function outcomeItem(input: Input, interaction: Interaction): Item {
  const { id, type, status, resolution_payload, trace } = toRequest(interaction);
  return {
    inputId: input.id,
    sourceKind: 'request_resolved',
    sourceId: id,
    senderId: resolvedBy(interaction) === 'user' ? primaryUser : 'backend',
    content: `[Request ${status}: "${interaction.title}"] ${outcomeOf(interaction)}`,
    ...noMedia(),
    request: { id, type, status, resolution_payload, trace },
  };
}

function outcomeOf(interaction: Interaction): string {
  const { status, answer } = interaction;
  if (status === 'expired' || !answer) return 'Expired';
  if (!isResolution(answer)) return answer.reason ? `Declined: ${answer.reason}` : 'Declined';
  const payload = toResolution(interaction, answer);
  switch (requestType(interaction)) {
    case 'choice':
      return `Selected: ${(payload.selectedOptionIds as string[]).join(', ')}`;
    case 'text_input':
      return `Response: ${payload.text}`;
    case 'form':
      return `Form values: ${JSON.stringify(payload.values)}`;
  }
}

/** Translates a batch. Workers of Opengram read text. */

import { type Batch, defined, type Input, type Interaction, type Message, type Thread } from '@holdpoint/protocol';
import { toResolution } from './answer-codec.ts';
import { chatFacts } from './chat-codec.ts';
import { kindOf, primaryUser, senderOf, textOf, traceOf } from './message-codec.ts';
import { requestType } from './question-codec.ts';
import { isResolution, resolvedBy, toRequest } from './request-codec.ts';

interface Item {
  inputId: string;
  sourceKind: 'user_message' | 'request_resolved';
  sourceId: string;
  senderId: string;
  content: string;
  traceKind?: string;
  mediaIds: string[];
  attachmentNames: string[];
  request?: Pick<ReturnType<typeof toRequest>, 'id' | 'type' | 'status' | 'resolution_payload' | 'trace'>;
}

/** `interactions` are those of the outcomes, which alone do not contain the question. */
export function toBatch(batch: Batch, thread: Thread, interactions: readonly Interaction[]) {
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
    compiledContent: compiled(items),
    items,
    attachments: attachmentsOf(batch, items),
  };
}

/** One item is its content. Several items get numbers and the names of their attachments. */
function compiled(items: readonly Item[]): string {
  const words = ({ content }: Item) => (content.trim() === '' ? '(no text)' : content);
  const [only, ...more] = items;
  if (only && more.length === 0) return words(only);
  return items
    .map((item, index) => {
      const names = item.attachmentNames.length > 0 ? `\n[attachments: ${JSON.stringify(item.attachmentNames)}]` : '';
      return `[Message ${index + 1}]${names}\n${words(item)}`;
    })
    .join('\n\n');
}

function attachmentsOf({ inputs }: Batch, items: readonly Item[]) {
  return inputs.flatMap(({ id, message }) =>
    (message?.files ?? []).map((file) => ({
      ...{ mediaId: file.file_id, fileName: file.name, kind: kindOf(file), sourceInputId: id },
      sourceIndex: items.findIndex(({ inputId }) => inputId === id),
    })),
  );
}

function messageItem(input: Input, message: Message): Item {
  const kind = traceOf(message)?.kind;
  const { files = [] } = message;
  return {
    inputId: input.id,
    sourceKind: 'user_message',
    sourceId: message.id,
    senderId: senderOf(message),
    content: textOf(message),
    ...defined({ traceKind: typeof kind === 'string' ? kind : undefined }),
    mediaIds: files.map(({ file_id }) => file_id),
    attachmentNames: files.map(({ name }) => name),
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
    mediaIds: [],
    attachmentNames: [],
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

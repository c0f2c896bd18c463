/** A message there and here. Who sent it there, its trace and its model are kept in its metadata, under `chat`. */
import { defined, type FreeObject, fail, type Message, type PostMessage, type StoredFile } from '@holdpoint/protocol';
import type { CreateMessage, ShownMessage } from './chat-schemas.ts';

export const primaryUser = 'user:primary';

interface MessageFacts {
  senderId?: string;
  modelId?: string | null;
  trace?: FreeObject | null;
  /** It came as media alone; its text here is their names. */
  isWordless?: true;
}

export function toMessage(
  { role, senderId, content, streaming, modelId, trace }: CreateMessage,
  media: readonly StoredFile[] = [],
): PostMessage {
  const text = content?.trim();
  if (streaming && role !== 'agent') refuse('/streaming', 'not-allowed', 'Only a message of role agent is streamed.');
  if (streaming && text)
    refuse('/content', 'one-of', 'With streaming a message begins without content, which comes in chunks.');
  const isWordless = !streaming && !text;
  if (isWordless && media.length === 0)
    refuse('/content', 'required', 'Content is required, unless streaming is true or trace.mediaIds names media.');
  const names = media.map(({ name }) => name).join('\n');
  const facts: MessageFacts = {
    senderId,
    ...defined({ modelId: modelId || undefined, trace: trace || undefined, isWordless: isWordless || undefined }),
  };
  return {
    role,
    ...(isWordless ? { text: names } : text ? { text } : {}),
    ...(streaming ? { streaming } : media.length > 0 ? { files: media.map(({ id }) => id) } : {}),
    metadata: { chat: facts },
  };
}

const refuse = (pointer: string, code: string, message: string): never =>
  fail('invalid-input', message, { problems: [{ pointer, code, message }] });

/**
 * A message has the model of its chat; its own counts only where the chat has none. The model of the chat is not kept with it,
 * so that the repeat of an earlier version's call is the same call.
 */
export function toShownMessage(message: Message, chat: { modelId: string | null }): ShownMessage {
  const { id, threadId, role, state, at, updatedAt } = message;
  const { modelId, trace } = factsOf(message);
  const text = textOf(message);
  // What came of one that was broken off stays partial.
  const partial = text === '' ? null : text;
  return {
    id,
    chat_id: threadId,
    role,
    sender_id: senderOf(message),
    created_at: at,
    updated_at: updatedAt ?? at,
    content_final: state === undefined && !isWordless(message) ? text : null,
    content_partial: state === undefined ? null : partial,
    stream_state: state ?? 'complete',
    model_id: chat.modelId ?? modelId ?? null,
    trace: trace ?? null,
  };
}

export const isWordless = (message: Message): boolean => factsOf(message).isWordless === true;

export function textOf(message: Message): string {
  if (isWordless(message)) return '';
  return message.blocks.flatMap(({ payload }) => (typeof payload.text === 'string' ? [payload.text] : [])).join('\n\n');
}

export const traceOf = (message: Message): FreeObject | null => factsOf(message).trace ?? null;

/** There is one user there, one system and one tool; only agents have names. A person does not choose who they are. */
export function senderOf(message: Message): string {
  const { role, by } = message;
  const standIns = { user: primaryUser, agent: by.id, system: 'system', tool: 'tool' };
  const chosen = by.type === 'human' ? undefined : factsOf(message).senderId;
  return chosen ?? standIns[role];
}

/** One that was broken off before it began is not shown there. */
export const isShown = (message: Message): boolean => message.state !== 'cancelled' || textOf(message) !== '';

/** Metadata is anybody's to write: what is not of the right type was not written here. */
function factsOf({ metadata }: Message): MessageFacts {
  const { senderId, modelId, trace, isWordless } = (metadata?.chat ?? {}) as Record<keyof MessageFacts, unknown>;
  return {
    ...defined({
      senderId: typeof senderId === 'string' ? senderId : undefined,
      modelId: typeof modelId === 'string' ? modelId : undefined,
      isWordless: isWordless === true ? isWordless : undefined,
      trace: typeof trace === 'object' && !Array.isArray(trace) ? (trace as FreeObject | null) : undefined,
    }),
  };
}

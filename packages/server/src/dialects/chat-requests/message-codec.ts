/** A message there and here. Who sent it there, its trace and its model are kept in its metadata, under `chat`. */
import { type FreeObject, fail, type Message, type PostMessage } from '@holdpoint/protocol';
import type { CreateMessage, ShownMessage } from './chat-schemas.ts';

export const primaryUser = 'user:primary';

interface MessageFacts {
  senderId?: string;
  modelId?: string | null;
  trace?: FreeObject | null;
}

export function toMessage({ role, senderId, content, streaming, modelId, trace }: CreateMessage): PostMessage {
  const text = content?.trim();
  if (streaming && role !== 'agent') refuse('/streaming', 'not-allowed', 'Only a message of role agent is streamed.');
  if (streaming && text)
    refuse('/content', 'one-of', 'With streaming a message begins without content, which comes in chunks.');
  if (!streaming && !text) refuse('/content', 'required', 'Content is required, unless streaming is true.');
  const facts: MessageFacts = { senderId, ...(modelId ? { modelId } : {}), ...(trace ? { trace } : {}) };
  return {
    role,
    ...(text ? { text } : {}),
    ...(streaming ? { streaming } : {}),
    metadata: { chat: facts },
  };
}

const refuse = (pointer: string, code: string, message: string): never =>
  fail('invalid-input', message, { problems: [{ pointer, code, message }] });

export function toShownMessage(message: Message): ShownMessage {
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
    content_final: state === undefined ? text : null,
    content_partial: state === undefined ? null : partial,
    stream_state: state ?? 'complete',
    model_id: modelId ?? null,
    trace: trace ?? null,
  };
}

export function textOf({ blocks }: Message): string {
  return blocks.flatMap(({ payload }) => (typeof payload.text === 'string' ? [payload.text] : [])).join('\n\n');
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
  const { senderId, modelId, trace } = (metadata?.chat ?? {}) as Record<keyof MessageFacts, unknown>;
  return {
    ...(typeof senderId === 'string' ? { senderId } : {}),
    ...(typeof modelId === 'string' ? { modelId } : {}),
    ...(typeof trace === 'object' && !Array.isArray(trace) ? { trace: trace as FreeObject | null } : {}),
  };
}

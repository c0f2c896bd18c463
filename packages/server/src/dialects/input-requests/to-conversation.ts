import type { Thread } from '@holdpoint/protocol';

/** A thread as the conversation that input requests belong to. */
export const toConversation = ({ id, title, createdAt, metadata }: Thread) => ({
  id,
  title: title ?? null,
  created_at: createdAt,
  metadata: metadata ?? null,
});

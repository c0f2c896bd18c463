/** Reads the messages of a conversation, from everybody, so that a page can show them again after a reload. */
import type { HoldpointService, Message, Turn } from '@holdpoint/protocol';
import type { SessionOf } from './session-of.ts';
import { blocksOfMessage, isSaidRole, type SaidRole, type ShownBlock } from './to-blocks.ts';

interface History {
  conversationId: string;
  /** The execution to ask about now; known where the newest page is read. */
  executionId: string | null;
  messages: { id: string; role: SaidRole; createdAt: string; blocks: ShownBlock[] }[];
  next: string | null;
}

export async function readHistory(
  service: HoldpointService,
  { threadId }: SessionOf,
  page: { cursor?: string; limit?: number },
): Promise<History> {
  // The turn is read first: a message that comes in between is in the list, and an execution is never named before what it is about.
  const turn = await service.waitForTurn({ threadId, timeoutMs: 0 });
  const { data, next } = await service.listMessages({ threadId, order: 'newest', ...page });
  return {
    conversationId: threadId,
    executionId: page.cursor === undefined ? currentExecution(turn, data) : null,
    messages: data.flatMap(toSaid).reverse(),
    next: next ?? null,
  };
}

/** Metadata stays out: it has what an agent or the server notes, such as why a worker gave up. */
function toSaid(message: Message): History['messages'] {
  const { id, role, at, state } = message;
  if (!isSaidRole(role) || state === 'streaming') return [];
  const blocks = blocksOfMessage(message, role);
  return blocks.length > 0 ? [{ id, role, createdAt: at, blocks }] : [];
}

/** Until a run begins, the execution has the id of its message, as in a reply. */
function currentExecution({ isSettled, run }: Turn, newestFirst: readonly Message[]): string | null {
  const isOver = run === undefined || run.endedAt !== undefined;
  const waiting = isOver && !isSettled ? newestFirst.find(({ role }) => role === 'user') : undefined;
  return waiting?.id ?? run?.id ?? null;
}

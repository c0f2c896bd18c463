import type { HoldpointService, Interaction, InteractionFilter } from '@holdpoint/protocol';
import { toolCallIdOf } from './to-input-request.ts';

/** The newest interaction that this tool call of this run asked for. */
export async function findByToolCall(
  service: HoldpointService,
  { toolCallId, ...filter }: Pick<InteractionFilter, 'threadId' | 'status'> & { runId: string; toolCallId: string },
): Promise<Interaction | undefined> {
  let cursor: string | undefined;
  do {
    const page = await service.listInteractions({ ...filter, order: 'newest', ...(cursor ? { cursor } : {}) });
    const found = page.data.find((interaction) => toolCallIdOf(interaction) === toolCallId);
    if (found) return found;
    cursor = page.next;
  } while (cursor);
  return undefined;
}

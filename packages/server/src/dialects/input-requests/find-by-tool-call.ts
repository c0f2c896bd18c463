import { type HoldpointService, type Interaction, type InteractionFilter, limits } from '@holdpoint/protocol';
import { toolCallIdOf } from './to-input-request.ts';

/** So many pages of a run are looked through; what is older than all of them is not found. */
const pagesLookedAt = 20;

/** The interactions that this tool call of this run asked for, the newest first. */
export async function findByToolCall(
  service: HoldpointService,
  { toolCallId, ...filter }: Pick<InteractionFilter, 'threadId'> & { runId: string; toolCallId: string },
): Promise<Interaction[]> {
  const found: Interaction[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < pagesLookedAt; pages++) {
    const from = cursor === undefined ? {} : { cursor };
    const page = await service.listInteractions({ ...filter, order: 'newest', limit: limits.pageSize, ...from });
    found.push(...page.data.filter((interaction) => toolCallIdOf(interaction) === toolCallId));
    cursor = page.next;
    if (cursor === undefined) break;
  }
  return found;
}

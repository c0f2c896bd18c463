import type { InputRequestStatus, ListInputRequests } from '@holdpoint/mcp';
import type { HoldpointService, Interaction, Page, Status } from '@holdpoint/protocol';
import { statusOf } from './to-input-request.ts';

/** Where ours is one of several, those of another status are passed by: a decline is cancelled there, and answered here. */
const ours: Record<InputRequestStatus, Status | undefined> = {
  open: 'pending',
  submitted: 'answered',
  cancelled: undefined,
  expired: 'expired',
};

/** So often it looks further for a page that is not full; then the page is short, and says where it goes on. */
const looks = 20;

export async function listByStatus(
  service: HoldpointService,
  { conversation_id: threadId, status: asked, run_id: runId, cursor: from, limit = 50 }: ListInputRequests,
): Promise<Page<Interaction>> {
  const status = asked && ours[asked];
  const filter = { threadId, ...(status ? { status } : {}), ...(runId === undefined ? {} : { runId }) };
  const data: Interaction[] = [];
  let next = from;
  for (let look = 0; look < looks && data.length < limit; look++) {
    const page = await service.listInteractions({
      ...filter,
      limit: limit - data.length,
      ...(next === undefined ? {} : { cursor: next }),
    });
    data.push(...page.data.filter((interaction) => asked === undefined || statusOf(interaction) === asked));
    next = page.next;
    if (next === undefined) break;
  }
  return { data, ...(next === undefined ? {} : { next }) };
}

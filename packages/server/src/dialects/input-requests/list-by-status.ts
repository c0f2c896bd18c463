import type { InputRequestStatus, ListInputRequests } from '@holdpoint/mcp';
import type { HoldpointService, Interaction, Page, Status } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { gatherPage } from '../gather-page.ts';
import { statusOf } from './to-input-request.ts';

/** Where ours is one of several, those of another status are passed by: a decline is cancelled there, and answered here. */
const ours: Record<InputRequestStatus, Status | undefined> = {
  open: 'pending',
  submitted: 'answered',
  cancelled: undefined,
  expired: 'expired',
};

export function listByStatus(
  service: HoldpointService,
  { conversation_id: threadId, status: asked, run_id: runId, cursor, limit = 50 }: ListInputRequests,
): Promise<Page<Interaction>> {
  const status = asked && ours[asked];
  const filter = { threadId, ...defined({ status, runId }) };
  return gatherPage(
    (from) => service.listInteractions({ ...filter, ...from }),
    (interaction) => asked === undefined || statusOf(interaction) === asked,
    { limit, cursor },
  );
}

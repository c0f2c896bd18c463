import { errorTable, HoldpointError, type HoldpointService, type Interaction } from '@holdpoint/protocol';
import { toInputRequest } from './to-input-request.ts';

/** Does something to an interaction; who comes too late, or second, is told how it stands by now. */
export async function tellingWhoIsLate<T>(
  service: HoldpointService,
  interactionId: string,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HoldpointError) || errorTable[error.code].status !== 409) throw error;
    const found = await service.getInteraction({ interactionId });
    const input_request = toInputRequest(error.code === 'interaction-expired' ? asExpired(found) : found);
    throw new HoldpointError({ ...error.fault, current: { input_request } });
  }
}

/** Who is refused because the time is up may come a moment before the timer that writes it down. */
function asExpired(found: Interaction): Interaction {
  const { status, deadline } = found;
  if (status !== 'pending' || deadline?.outcome !== 'expire') return found;
  return { ...found, status: 'expired', closedAt: deadline.at };
}

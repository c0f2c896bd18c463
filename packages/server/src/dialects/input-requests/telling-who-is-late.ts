import { errorTable, HoldpointError, type HoldpointService } from '@holdpoint/protocol';
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
    const input_request = toInputRequest(await service.getInteraction({ interactionId }));
    throw new HoldpointError({ ...error.fault, current: { input_request } });
  }
}

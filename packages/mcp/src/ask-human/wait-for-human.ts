import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Asking } from './asking.ts';
import { tellOutcome } from './tell-outcome.ts';

/** Less than the minute after which clients give a call up. */
export const longestWaitSeconds = 50;

/** The question once it is closed, or still pending: the tools say the same of it as long as it is. */
export async function waitForHuman(
  { caller, waitSeconds, whileWaiting, signal }: Omit<Asking, 'powers' | 'channel'>,
  interactionId: string,
): Promise<CallToolResult> {
  const timeoutMs = Math.ceil(waitSeconds * 1_000);
  return tellOutcome(await whileWaiting(caller.service.waitForInteraction({ interactionId, timeoutMs, signal })));
}

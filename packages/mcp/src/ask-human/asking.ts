/** Waits for the outcome of a question, reports progress and describes the outcome to the model. */

import { defined, type Interaction, outcomeOf } from '@holdpoint/protocol';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { McpCaller } from '../mcp-caller.ts';
import type { ClientPowers, FormChannel } from './form-channel.ts';

/** Returns the work, and reports progress until it ends. */
type WhileWaiting = <T>(work: Promise<T>) => Promise<T>;

export function waitProgress({ mcpReq }: ServerContext): WhileWaiting {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return (work) => work;
  const begunAt = performance.now();
  const report = () => {
    const progress = Math.round(performance.now() - begunAt) / 1_000;
    const params = { progressToken, progress, message: 'Waiting for a person to answer.' };
    // A client that is gone ends the wait itself.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return async (work) => {
    report();
    const timer = setInterval(report, 5_000);
    return work.finally(() => clearInterval(timer));
  };
}

export interface Asking {
  caller: McpCaller;
  powers: ClientPowers;
  /** The connection to a client that receives forms during a call. */
  channel: FormChannel | undefined;
  waitSeconds: number;
  whileWaiting: WhileWaiting;
  /** The client no longer waits. */
  signal: AbortSignal;
}

export function showOutcome(interaction: Interaction): CallToolResult {
  const structuredContent = describe(interaction);
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

function describe(interaction: Interaction): Record<string, unknown> {
  const handle = { interaction_id: interaction.id, thread_id: interaction.threadId };
  if (interaction.status === 'pending') return { status: 'pending', ...handle };
  const outcome = outcomeOf<Record<string, unknown>>(interaction);
  const { answer } = interaction;
  const reason = 'reason' in outcome ? outcome.reason : answer?.reason;
  return {
    status: outcome.status,
    ...handle,
    ...defined({
      approved: interaction.kind === 'approval' ? outcome.status === 'answered' : undefined,
      automatic: outcome.automatic,
      values: answer && outcome.status !== 'expired' ? answer.values : undefined,
      payload: answer?.payload,
      secret_fields: answer?.secretFields,
      reason,
      answered_by: answer ? { type: answer.by.type, id: answer.by.id } : undefined,
      digest: answer?.digest,
    }),
  };
}

/** Below one minute, after which clients abort a call. */
export const longestWaitSeconds = 50;

/** Returns the outcome when the question closes, or its pending status after the time limit. */
export async function waitForHuman(
  { caller, waitSeconds, whileWaiting, signal }: Omit<Asking, 'powers' | 'channel'>,
  interactionId: string,
): Promise<CallToolResult> {
  const timeoutMs = Math.ceil(waitSeconds * 1_000);
  return showOutcome(await whileWaiting(caller.service.waitForInteraction({ interactionId, timeoutMs, signal })));
}

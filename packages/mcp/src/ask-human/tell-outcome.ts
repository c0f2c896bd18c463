/** What the tools tell of a question: how it ended, or that it is still open. */
import { defined, type Interaction, outcomeOf } from '@holdpoint/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';

export function tellOutcome(interaction: Interaction): CallToolResult {
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
      payload: answer?.payload === undefined ? undefined : answer.payload,
      secret_fields: answer?.secretFields ? answer.secretFields : undefined,
      reason,
      answered_by: answer ? { type: answer.by.type, id: answer.by.id } : undefined,
      digest: answer?.digest === undefined ? undefined : answer.digest,
    }),
  };
}

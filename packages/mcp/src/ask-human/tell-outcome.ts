/** What the tools tell of a question: how it ended, or that it is still open. */
import { type Interaction, outcomeOf } from '@holdpoint/protocol';
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
    ...(interaction.kind === 'approval' ? { approved: outcome.status === 'answered' } : {}),
    ...(outcome.automatic === undefined ? {} : { automatic: outcome.automatic }),
    ...(answer && outcome.status !== 'expired' ? { values: answer.values } : {}),
    ...(answer?.payload === undefined ? {} : { payload: answer.payload }),
    ...(answer?.secretFields ? { secret_fields: answer.secretFields } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(answer ? { answered_by: { type: answer.by.type, id: answer.by.id } } : {}),
    ...(answer?.digest === undefined ? {} : { digest: answer.digest }),
  };
}

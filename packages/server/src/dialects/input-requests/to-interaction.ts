/** An input request as it is asked, as a question of ours. */
import type { CreateInputRequest } from '@holdpoint/mcp';
import { type CreateInteraction, defined, isBlankText, limits } from '@holdpoint/protocol';
import { toField } from './to-field.ts';
import { toRecommendations } from './to-recommendations.ts';

export function toInteraction(input: CreateInputRequest): CreateInteraction {
  const { title, description, expires_at, metadata, recommendations } = input;
  const fields = input.fields.map(toField);
  const recommended = recommendations ? toRecommendations(fields, recommendations) : {};
  const submitLabel = submitLabelIn(metadata);
  return {
    kind: 'form',
    title,
    ...defined({ body: description }),
    fields,
    ...defined({ recommendations: Object.keys(recommended).length > 0 ? recommended : undefined, submitLabel }),
    responder: { type: input.requested_responder_type },
    ...defined({ deadline: expires_at === undefined ? undefined : { at: expires_at, outcome: 'expire' as const } }),
    run: { id: input.run_id, toolCallId: input.tool_call_id },
    ...defined({ metadata }),
    original: {
      dialect: 'input-requests',
      sent: { fields: input.fields, ...defined({ recommendations }) },
    },
  };
}

function submitLabelIn(metadata: CreateInputRequest['metadata']): string | undefined {
  const label = metadata?.submitLabel;
  return typeof label === 'string' && !isBlankText(label) && label.length <= limits.labelLength ? label : undefined;
}

/** The answer that closed an interaction, as its response there. Values of secret fields are in neither. */
import { type Answer, defined, type Interaction, pickedOptions } from '@holdpoint/protocol';
import { onlyInput, payloadShape } from './answer-shape.ts';
import type { InteractionResponse } from './interaction-request.ts';

export function toResponse(interaction: Interaction, answer: Answer): InteractionResponse {
  const picked = pickedOptions(interaction, answer.values);
  const [option] = picked;
  const payload = payloadOf(interaction, answer);
  const metadata = notes(answer);
  return {
    decision: answer.decision,
    ...defined({ selectedOptionId: option && picked.length === 1 ? option.value : undefined, payload }),
    submittedBy: answer.by.id,
    submittedAt: answer.at,
    ...defined({ metadata }),
  };
}

function payloadOf(interaction: Interaction, { decision, values, payload }: Answer): unknown {
  switch (payloadShape(interaction)) {
    case 'payload':
      return payload;
    case 'none':
      return undefined;
    case 'value': {
      const name = onlyInput(interaction) ?? '';
      return Object.hasOwn(values, name) ? values[name] : undefined;
    }
    case 'values':
      return decision === 'declined' && Object.keys(values).length === 0 ? undefined : values;
  }
}

/** What the responder noted, and what has no place there: why, whether a rule answered in a person's place, what is secret. */
function notes({ reason, automatic, grantId, secretFields, metadata }: Answer): InteractionResponse['metadata'] {
  const all = { reason, automatic, grantId, secretFields, ...metadata };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return given.length > 0 || metadata ? Object.fromEntries(given) : undefined;
}

/** A further round of ask_human: what the client's user said, to the question that the state was sealed for. */
import {
  type CallToolResult,
  type InputRequiredResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { asked, askOrWait, awaitElsewhere } from './ask-human.ts';
import type { Asking } from './asking.ts';
import type { StateClaims } from './request-states.ts';
import { changed, settleForm } from './settle-form.ts';
import { tellOutcome } from './tell-outcome.ts';

export async function nextRound(
  asking: Asking,
  claims: StateClaims,
  responses: Record<string, unknown> | undefined,
): Promise<CallToolResult | InputRequiredResult> {
  const { service, states } = asking.caller;
  const { interactionId } = claims;
  // Read before: a store that is away for a moment must not cost the person what they entered.
  const interaction = await service.getInteraction({ interactionId });
  // Before anything is told or done: whoever comes with it again learns nothing and changes nothing.
  if (!(await states.use(claims))) throw refusedState();
  // Whoever answers first wins, here or elsewhere.
  if (interaction.status !== 'pending') return tellOutcome(interaction);
  if ((interaction.digest ?? null) !== claims.digest) return askOrWait(asking, interaction, changed.remark);
  const response = inputResponse(responses, asked);
  if (response.kind !== 'elicit') return askOrWait(asking, interaction);
  if (claims.mode === 'url' && response.action === 'accept') return awaitElsewhere(asking, interaction);
  const settled = await settleForm(asking.caller, interaction, claims, response);
  if (settled.kind === 'closed') return tellOutcome(settled.interaction);
  if (settled.kind === 'left') return tellOutcome(interaction);
  return askOrWait(asking, await service.getInteraction({ interactionId }), settled.remark);
}

/** Of a state that was used before; the SDK says the same of one that is forged or too old. */
const refusedState = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'request_state_used',
  });

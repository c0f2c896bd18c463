/** A further round of ask_human: what the client's user said, to the question that the state was sealed for. */
import { type Interaction, sentenceOf } from '@holdpoint/protocol';
import {
  type CallToolResult,
  type InputRequiredResult,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { answersAs } from './answer-place.ts';
import { type Asking, asked, askOrWait, awaitElsewhere, hasCode } from './ask-human.ts';
import { elicitedValues } from './elicited-form.ts';
import type { StateClaims } from './request-states.ts';
import { tellOutcome } from './tell-outcome.ts';

type Response = ReturnType<typeof inputResponse>;

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
  if ((interaction.digest ?? null) !== claims.digest) return askOrWait(asking, interaction, changed);
  const response = inputResponse(responses, asked);
  if (response.kind !== 'elicit') return askOrWait(asking, interaction);
  // They have not said no, and somebody may still answer it elsewhere.
  if (response.action === 'cancel') return tellOutcome(interaction);
  if (claims.mode === 'url' && response.action === 'accept') return awaitElsewhere(asking, interaction);
  return record(asking, interaction, response);
}

const changed = 'The question has changed since it was shown.';

/** Of a state that was used before; the SDK says the same of one that is forged or too old. */
const refusedState = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'request_state_used',
  });

/** Accepted values become an answer and a refusal declines, in the name of whoever the caller may speak for. */
async function record(
  asking: Asking,
  interaction: Interaction,
  response: Extract<Response, { kind: 'elicit' }>,
): Promise<CallToolResult | InputRequiredResult> {
  const { service } = asking.caller;
  const who = await answersAs(asking.caller, interaction);
  // Not to want to open a page is no answer of anybody who was asked.
  if (!who) return tellOutcome(interaction);
  const { id: interactionId, digest } = interaction;
  const answer = { interactionId, ...who, ...(digest === undefined ? {} : { digest }) };
  try {
    if (response.action === 'decline') return tellOutcome(await service.declineInteraction(answer));
    return tellOutcome(await service.submitAnswer({ ...answer, values: elicitedValues(response.content ?? {}) }));
  } catch (error) {
    if (hasCode(error, 'invalid-answer')) {
      const { problems = [], detail } = error.fault;
      return askOrWait(asking, interaction, problems.length > 0 ? sentenceOf(problems) : detail);
    }
    if (hasCode(error, 'question-changed'))
      return askOrWait(asking, await service.getInteraction({ interactionId }), changed);
    const latest = await service.getInteraction({ interactionId });
    if (latest.status === 'pending') throw error;
    return tellOutcome(latest);
  }
}

/** The tool ask_human: creates the question, sends a form if the client can show one, and waits. */
import { type Interaction, visibleText } from '@holdpoint/protocol';
import {
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type Asking, tellOutcome, waitForHuman } from './asking.ts';
import { elicitedForm } from './elicited-form.ts';
import { answerPage, answersAs } from './open-question.ts';
import type { StateClaims } from './request-states.ts';
import { askBySentForm } from './sent-form.ts';
import { changed, settleForm } from './settle-form.ts';
import { startedExtensionTask } from './tasks.ts';

/** The name of the one thing that a round asks for. */
const asked = 'answer';

/** Asks through the client in a new round of the call, or waits. */
export async function askOrWait(
  asking: Asking,
  interaction: Interaction,
  remark?: string,
): Promise<CallToolResult | InputRequiredResult> {
  if (interaction.status !== 'pending') return tellOutcome(interaction);
  if (asking.channel) return askBySentForm(asking, asking.channel, interaction);
  const elicitation = await elicit(asking, interaction, remark);
  if (!elicitation) return awaitElsewhere(asking, interaction);
  const { request, mode } = elicitation;
  const round = { interactionId: interaction.id, digest: interaction.digest ?? null, mode };
  return inputRequired({ inputRequests: { [asked]: request }, requestState: asking.caller.states.seal(round).state });
}

/** It is answered elsewhere: a task for who takes one, else a wait that has an end. */
async function awaitElsewhere(asking: Asking, interaction: Interaction): Promise<CallToolResult> {
  if (asking.powers.tasks) return startedExtensionTask(interaction);
  return waitForHuman(asking, interaction.id);
}

/** A form where it says all there is and its answer would count; else the address of a page; or nothing of the kind. */
async function elicit(
  { caller, powers }: Asking,
  interaction: Interaction,
  remark = '',
): Promise<{ request: InputRequest; mode: StateClaims['mode'] } | undefined> {
  const form = powers.form ? elicitedForm(interaction) : undefined;
  if (form && (await answersAs(caller, interaction))) {
    const message = remark ? `${remark}\n\n${form.message}` : form.message;
    return { request: inputRequired.elicit({ ...form, message }), mode: 'form' };
  }
  const url = powers.url ? await answerPage(caller, interaction) : undefined;
  if (url === undefined) return undefined;
  return { request: inputRequired.elicitUrl({ message: visibleText(interaction.title), url }), mode: 'url' };
}

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
  // The first answer wins, here or elsewhere.
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

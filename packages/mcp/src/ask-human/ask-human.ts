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
import { type Asking, showOutcome, waitForHuman } from './asking.ts';
import { elicitedForm } from './elicited-form.ts';
import { answerPage, answersAs } from './open-question.ts';
import type { StateClaims } from './request-states.ts';
import { askBySentForm, changed, settleForm } from './sent-form.ts';
import { startedExtensionTask } from './tasks.ts';

/** The name of the only input request of a round. */
const asked = 'answer';

/** Asks through the client in a new round of the call, or waits. */
export async function askOrWait(
  asking: Asking,
  interaction: Interaction,
  remark?: string,
): Promise<CallToolResult | InputRequiredResult> {
  if (interaction.status !== 'pending') return showOutcome(interaction);
  if (asking.channel) return askBySentForm(asking, asking.channel, interaction);
  const elicitation = await elicit(asking, interaction, remark);
  if (!elicitation) return awaitElsewhere(asking, interaction);
  const { request, mode } = elicitation;
  const round = { interactionId: interaction.id, digest: interaction.digest ?? null, mode };
  return inputRequired({ inputRequests: { [asked]: request }, requestState: asking.caller.states.seal(round).state });
}

/** Waits for an answer from elsewhere: as a task if the client takes tasks, else for a limited time. */
const awaitElsewhere = async (asking: Asking, interaction: Interaction): Promise<CallToolResult> =>
  asking.powers.tasks ? startedExtensionTask(interaction) : waitForHuman(asking, interaction.id);

/** Returns a form if it shows the whole question and its answer counts, else the address of a page, else nothing. */
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
  // Loads before it uses up the state. Otherwise a failing store would lose the values that the user entered.
  const interaction = await service.getInteraction({ interactionId });
  // Checks this before anything else, so that a used state shows nothing and changes nothing.
  if (!(await states.use(claims))) {
    // The SDK gives the same error for a forged or expired state.
    const [code, reason] = [ProtocolErrorCode.InvalidParams, { reason: 'request_state_used' }];
    throw new ProtocolError(code, 'Invalid or expired requestState', reason);
  }
  // The first answer wins, here or elsewhere.
  if (interaction.status !== 'pending') return showOutcome(interaction);
  if ((interaction.digest ?? null) !== claims.digest) return askOrWait(asking, interaction, changed.remark);
  const response = inputResponse(responses, asked);
  if (response.kind !== 'elicit') return askOrWait(asking, interaction);
  if (claims.mode === 'url' && response.action === 'accept') return awaitElsewhere(asking, interaction);
  const settled = await settleForm(asking.caller, interaction, claims, response);
  if (settled.kind !== 'again') return showOutcome(settled.kind === 'closed' ? settled.interaction : interaction);
  return askOrWait(asking, await service.getInteraction({ interactionId }), settled.remark);
}

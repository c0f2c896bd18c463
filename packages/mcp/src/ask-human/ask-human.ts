/** The tool ask_human: a durable question, asked through the client where it can, awaited where it cannot. */
import { type Interaction, visibleText } from '@holdpoint/protocol';
import {
  type CallToolResult,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
} from '@modelcontextprotocol/server';
import { answerPage, answersAs } from './answer-place.ts';
import type { Asking } from './asking.ts';
import { elicitedForm } from './elicited-form.ts';
import type { StateClaims } from './request-states.ts';
import { askBySentForm } from './sent-form.ts';
import { startedExtensionTask } from './task-of.ts';
import { tellOutcome } from './tell-outcome.ts';
import { waitForHuman } from './wait-for-human.ts';

/** The name of the one thing that a round asks for. */
export const asked = 'answer';

/** Asks through the client, as a new round of the call, or waits. */
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
export async function awaitElsewhere(asking: Asking, interaction: Interaction): Promise<CallToolResult> {
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

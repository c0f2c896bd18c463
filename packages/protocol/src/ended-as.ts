import type { Interaction } from './interaction.ts';
import { pickedOptions } from './pick.ts';

/** Names how a question ended. A denial is an answer: only a responder who picked no option has declined. */
export function endedAs(interaction: Interaction): Interaction['status'] | 'declined' {
  const { status, closedReason, answer } = interaction;
  const isDeclined = closedReason === 'declined' && pickedOptions(interaction, answer?.values ?? {}).length === 0;
  return isDeclined ? 'declined' : status;
}

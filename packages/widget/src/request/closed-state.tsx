/** What is left of a question that is closed: what came of it, and of a choice or an approval what was picked. */
import type { Answer, Interaction } from '@holdpoint/protocol';
import { pickField } from '@holdpoint/protocol/answers';
import type { Strings } from '../strings/strings.ts';
import { inWords } from './approval-words.ts';

export function ClosedState({ interaction, strings }: { interaction: Interaction; strings: Strings }) {
  const { status, closedReason, answer } = interaction;
  // To deny is an answer; only who picked nothing has declined.
  const words = closedReason === 'declined' && picked(interaction, answer).length === 0 ? 'declined' : status;
  return (
    <p class="state" role="status" tabIndex={-1}>
      {words === 'pending' ? strings.loading : strings[words]}
      <Picked {...{ interaction, answer, strings }} />
    </p>
  );
}

interface PickedProps {
  interaction: Interaction;
  answer: Answer | undefined;
  strings: Strings;
}

export function Picked({ interaction, answer, strings }: PickedProps) {
  const labels = picked(interaction, answer).map((option) => inWords(option, strings).label);
  return labels.length > 0 ? <strong>{labels.join(', ')}</strong> : null;
}

function picked(interaction: Interaction, answer: Answer | undefined) {
  const pick = pickField(interaction);
  const value = pick && answer ? [answer.values[pick.name]].flat() : [];
  return pick?.options.filter((option) => value.includes(option.value)) ?? [];
}

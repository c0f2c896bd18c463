/** Shows a closed question: how it ended and what was picked; or, to a person who was about to answer, the decision. */
import type { Interaction } from '@holdpoint/protocol';
import type { Strings } from '../strings/strings.ts';
import { Decision, endOf } from './decision.tsx';
import { Picked } from './picked.tsx';

interface ClosedStateProps {
  interaction: Interaction;
  strings: Strings;
  /** Names the responder who decided, for a person who was about to answer. */
  to?: { responderId: string | undefined; locale: string };
}

export const ClosedState = ({ interaction, strings, to }: ClosedStateProps) => (
  <div class="state" role="status" tabIndex={-1}>
    {to ? (
      <Decision {...{ interaction, strings, ...to }} />
    ) : (
      <>
        <p>{endOf(interaction, strings)}</p>
        <Picked {...{ interaction, strings }} values={interaction.answer?.values} />
      </>
    )}
  </div>
);

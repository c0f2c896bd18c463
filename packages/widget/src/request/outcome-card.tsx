/**
 * Shows a closed request to a person who was about to answer it: the decision, who made it, and what the person had
 * entered.
 */
import type { Interaction } from '@holdpoint/protocol';
import { VisibleText } from '../blocks/visible-text.tsx';
import type { Strings } from '../strings/strings.ts';
import { Decision } from './decision.tsx';
import { GivenValues } from './given-values.tsx';
import { Picked } from './picked.tsx';
import type { Begun } from './use-outcome.ts';

export interface OutcomeCardProps {
  /** The closed request. */
  interaction: Interaction;
  responderId: string | undefined;
  begun: Begun;
  onDismiss(): void;
  headingLevel: 2 | 3;
  strings: Strings;
  locale: string;
}

export function OutcomeCard(props: OutcomeCardProps) {
  const { interaction, responderId, begun, onDismiss, headingLevel, strings, locale } = props;
  const { id, title, answer = {} } = interaction;
  const Heading = `h${headingLevel}` as 'h2';
  return (
    <section class="card outcome" part="card" aria-labelledby={`o-${id}-title`}>
      <header class="prompt">
        <Heading class="title" part="title" id={`o-${id}-title`} dir="auto">
          <VisibleText text={title} />
        </Heading>
      </header>
      <div class="changed" role="alert" tabIndex={-1}>
        <p>{begun.wasSent ? strings.notAccepted : strings.notSent}</p>
        <div class="decided">
          <Decision {...{ interaction, responderId, strings, locale }} />
          <GivenValues {...{ interaction, strings }} given={answer} />
        </div>
      </div>
      <section class="arguments" aria-label={strings.yourAnswer}>
        <h3>{strings.yourAnswer}</h3>
        <Picked {...{ interaction, strings }} values={begun.values} />
        <GivenValues {...{ interaction, strings }} given={begun} />
      </section>
      <div class="actions" part="actions">
        <button type="button" class="button" onClick={onDismiss}>
          {strings.dismiss}
        </button>
      </div>
    </section>
  );
}

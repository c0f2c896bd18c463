/**
 * Shows a closed request to a person who was about to answer it: the decision, who made it, and what the person had
 * entered.
 */
import { withArgumentRules } from '../style/arguments.ts';
import { Entries } from './arguments.tsx';
import { Decision, Picked } from './closed-state.tsx';
import { givenEntries } from './given-entries.ts';
import { PromptHeader } from './prompt.tsx';
import type { LocalQuestionProps, QuestionProps } from './request-props.ts';
import type { Begun, Given } from './use-outcome.ts';

export interface OutcomeCardProps extends LocalQuestionProps {
  responderId: string | undefined;
  begun: Begun;
  onDismiss(): void;
  headingLevel: 2 | 3;
}

export function OutcomeCard(props: OutcomeCardProps) {
  const { interaction, responderId, begun, onDismiss, headingLevel, strings, locale } = props;
  const { answer = {} } = interaction;
  const titleId = `o-${interaction.id}-title`;
  return (
    <section class="card outcome" part="card" aria-labelledby={titleId}>
      <PromptHeader {...{ interaction, titleId, headingLevel }} />
      <div class="changed" role="alert" tabIndex={-1}>
        <p>{begun.wasSent ? strings.notAccepted : strings.notSent}</p>
        <div class="decided">
          <Decision {...{ interaction, responderId, strings, locale }} />
          <GivenValues {...{ interaction, strings }} given={answer} />
        </div>
      </div>
      <section class="arguments" ref={withArgumentRules} aria-label={strings.yourAnswer}>
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

function GivenValues({ interaction, given, strings }: QuestionProps & { given: Given }) {
  const { values = {}, payload, reason } = given;
  const entries = givenEntries(interaction, values);
  if (payload !== undefined) entries.push(['JSON', payload]);
  if (reason) entries.push([strings.reason, reason]);
  return entries.length > 0 ? <Entries {...{ entries, strings }} depth={0} /> : null;
}

/**
 * Shows a closed request to a person who was about to answer it: the decision, who made it, and what the person had
 * entered.
 */
import type { Interaction } from '@holdpoint/protocol';
import { isSecretField, pickField } from '@holdpoint/protocol/answers';
import { withArgumentRules } from '../style/arguments.ts';
import { Entries } from './arguments.tsx';
import { Decision, Picked } from './closed-state.tsx';
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
  const pick = pickField(interaction)?.name;
  const entries = Object.entries(values)
    .filter(([name, value]) => name !== pick && value !== null && value !== '')
    .map(([name, value]) => labelled(interaction, name, value));
  if (payload !== undefined) entries.push(['JSON', payload]);
  if (reason) entries.push([strings.reason, reason]);
  return entries.length > 0 ? <Entries {...{ entries, strings }} depth={0} /> : null;
}

function labelled({ fields }: Interaction, name: string, value: unknown): [string, unknown] {
  const field = fields.find((one) => 'name' in one && one.name === name);
  if (!field || !('name' in field)) return [name, value];
  const options = new Map('options' in field ? field.options.map((option) => [option.value, option.label]) : []);
  const shown = [value]
    .flat()
    .map((one) => options.get(one as string) ?? (one as { name?: string } | null)?.name ?? one);
  return [field.label ?? name, isSecretField(field) ? '••••••' : shown.length === 1 ? shown[0] : shown];
}

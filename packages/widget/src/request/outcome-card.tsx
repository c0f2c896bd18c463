/**
 * Shows a closed request to a person who was about to answer it: the decision, who made it, and what the person had
 * entered.
 */
import type { Interaction } from '@holdpoint/protocol';
import { isSecretField, pickField } from '@holdpoint/protocol/answers';
import { VisibleText } from '../blocks/untrusted.tsx';
import type { Strings } from '../strings/strings.ts';
import { Entries } from './arguments.tsx';
import { Decision, Picked } from './closed-state.tsx';
import type { Begun, Given } from './use-outcome.ts';

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

interface GivenValuesProps {
  interaction: Interaction;
  given: Given;
  strings: Strings;
}

export function GivenValues({ interaction, given, strings }: GivenValuesProps) {
  const { values = {}, payload, reason } = given;
  const pick = pickField(interaction)?.name;
  const entries = [
    ...Object.entries(values)
      .filter(([name, value]) => name !== pick && value !== null && value !== '')
      .map(([name, value]): [string, unknown] => labelled(interaction, name, value)),
    ...(payload === undefined ? [] : [['JSON', payload] as [string, unknown]]),
    ...(reason ? [[strings.reason, reason] as [string, unknown]] : []),
  ];
  return entries.length > 0 ? <Entries {...{ entries, strings }} depth={0} /> : null;
}

function labelled({ fields }: Interaction, name: string, value: unknown): [string, unknown] {
  const field = fields.find((one) => 'name' in one && one.name === name);
  if (!field || !('name' in field)) return [name, value];
  const options = new Map('options' in field ? field.options.map((option) => [option.value, option.label]) : []);
  const told = [value]
    .flat()
    .map((one) => options.get(one as string) ?? (one as { name?: string } | null)?.name ?? one);
  return [field.label ?? name, isSecretField(field) ? '••••••' : told.length === 1 ? told[0] : told];
}

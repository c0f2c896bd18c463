/** Shows what became of a question: the picked option, who decided and when, or that others still have to answer. */
import type { Answer, Interaction, Option } from '@holdpoint/protocol';
import { endedAs, pickedOptions } from '@holdpoint/protocol/answers';
import { VisibleText } from '../blocks/untrusted.tsx';
import type { Values } from '../form/form-state.ts';
import { filled, type Strings } from '../strings/strings.ts';

export function inWords(option: Option, strings: Strings): Option {
  const { value, label, kind } = option;
  if (value === 'allow' && label === 'Allow' && kind === 'allow_once') return { ...option, label: strings.allow };
  if (value === 'deny' && label === 'Deny' && kind === 'reject_once') return { ...option, label: strings.deny };
  return option;
}

interface PickedProps {
  interaction: Interaction;
  values: Values | undefined;
  strings: Strings;
}

export function Picked({ interaction, values, strings }: PickedProps) {
  const labels = pickedOptions(interaction, values ?? {}).map((option) => inWords(option, strings).label);
  return labels.length > 0 ? (
    <strong>
      <bdi>
        <VisibleText text={labels.join(', ')} />
      </bdi>
    </strong>
  ) : null;
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function momentOf(at: string, locale: string): string {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  formats.set(locale, format);
  return format.format(new Date(at));
}

interface DecisionProps {
  interaction: Interaction;
  responderId: string | undefined;
  strings: Strings;
  locale: string;
}

export function Decision({ interaction, responderId, strings, locale }: DecisionProps) {
  const { closedBy, closedAt, answer } = interaction;
  const isSystem = closedBy?.type === 'system';
  const isMine = closedBy?.type === 'human' && closedBy.id === responderId;
  // People cannot read an id such as "system deadline" as a name.
  const name = isSystem ? answer?.automatic && strings.automatic[answer.automatic] : closedBy?.id;
  const decider = name && (
    <bdi>
      <VisibleText text={isMine ? strings.you : name} />
    </bdi>
  );
  const values = answer?.values ?? {};
  const picked = <Picked {...{ interaction, values, strings }} />;
  const isSentence = decider && !isSystem && !isMine && pickedOptions(interaction, values).length > 0;
  return (
    <>
      <p>{isSentence ? filled(strings.chose, decider, picked) : endOf(interaction, strings)}</p>
      {!isSentence && picked}
      <p class="hint decided-by">
        {!isSentence && decider}
        {closedAt && <time dateTime={closedAt}>{momentOf(closedAt, locale)}</time>}
      </p>
    </>
  );
}

function endOf(interaction: Interaction, strings: Strings): string {
  const end = endedAs(interaction);
  return end === 'pending' ? strings.loading : strings[end];
}

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

interface VotedStateProps {
  interaction: Interaction;
  vote: Answer;
  headingLevel: 2 | 3;
  strings: Strings;
}

export function VotedState({ interaction, vote, headingLevel, strings }: VotedStateProps) {
  const Heading = `h${headingLevel}` as 'h2';
  return (
    <section class="card" part="card">
      <header class="prompt">
        <Heading class="title" part="title" dir="auto">
          <VisibleText text={interaction.title} />
        </Heading>
      </header>
      <div role="status" tabIndex={-1}>
        <p class="paragraph">{strings.voted}</p>
        <Picked {...{ interaction, strings }} values={vote.values} />
      </div>
    </section>
  );
}

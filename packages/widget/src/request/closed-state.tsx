/** Shows what became of a question: the picked option, who decided and when, or that others still have to answer. */
import type { Answer, Interaction, Option } from '@holdpoint/protocol';
import { endedAs, pickedOptions } from '@holdpoint/protocol/answers';
import { OwnText } from '../blocks/untrusted.tsx';
import type { Values } from '../form/form-state.ts';
import { filled, type Strings } from '../strings/strings.ts';
import { PromptHeader } from './prompt.tsx';
import type { LocalQuestionProps, QuestionProps } from './request-props.ts';

/** Translates the labels of the options that the server adds to an approval. */
export function translated(option: Option, strings: Strings): Option {
  const { value, label, kind } = option;
  if (value === 'allow' && label === 'Allow' && kind === 'allow_once') return { ...option, label: strings.allow };
  if (value === 'deny' && label === 'Deny' && kind === 'reject_once') return { ...option, label: strings.deny };
  return option;
}

export function Picked({ interaction, values, strings }: QuestionProps & { values: Values | undefined }) {
  const labels = pickedOptions(interaction, values ?? {}).map((option) => translated(option, strings).label);
  if (labels.length === 0) return null;
  return (
    <strong>
      <OwnText text={labels.join(', ')} />
    </strong>
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function formatTime(at: string | number, locale: string): string {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  formats.set(locale, format);
  return format.format(new Date(at));
}

interface DecisionProps extends LocalQuestionProps {
  responderId: string | undefined;
}

export function Decision({ interaction, responderId, strings, locale }: DecisionProps) {
  const { closedBy, closedAt, answer } = interaction;
  const isSystem = closedBy?.type === 'system';
  const isMine = closedBy?.type === 'human' && closedBy.id === responderId;
  // People cannot read an id such as "system deadline" as a name.
  const name = isSystem ? answer?.automatic && strings.automatic[answer.automatic] : (closedBy?.name ?? closedBy?.id);
  const decider = name && <OwnText text={isMine ? strings.you : name} />;
  const values = answer?.values ?? {};
  const picked = <Picked {...{ interaction, values, strings }} />;
  const isSentence = decider && !isSystem && !isMine && pickedOptions(interaction, values).length > 0;
  return (
    <>
      <p>{isSentence ? filled(strings.chose, decider, picked) : describeEnd(interaction, strings)}</p>
      {!isSentence && picked}
      <p class="hint decided-by">
        {!isSentence && decider}
        {closedAt && <time dateTime={closedAt}>{formatTime(closedAt, locale)}</time>}
      </p>
    </>
  );
}

function describeEnd(interaction: Interaction, strings: Strings): string {
  const end = endedAs(interaction);
  return end === 'pending' ? strings.loading : strings[end];
}

interface ClosedStateProps extends QuestionProps {
  /** Names the responder who decided, for a person who was about to answer. */
  to?: Pick<DecisionProps, 'responderId' | 'locale'>;
}

export const ClosedState = ({ interaction, strings, to }: ClosedStateProps) => (
  <div class="state" role="status" tabIndex={-1}>
    {to ? (
      <Decision {...{ interaction, strings, ...to }} />
    ) : (
      <>
        <p>{describeEnd(interaction, strings)}</p>
        <Picked {...{ interaction, strings }} values={interaction.answer?.values} />
      </>
    )}
  </div>
);

interface VotedStateProps extends QuestionProps {
  vote: Answer;
  headingLevel: 2 | 3;
}

export const VotedState = ({ interaction, vote, headingLevel, strings }: VotedStateProps) => (
  <section class="card" part="card">
    <PromptHeader {...{ interaction, headingLevel }} />
    <div role="status" tabIndex={-1}>
      <p class="paragraph">{strings.voted}</p>
      <Picked {...{ interaction, strings }} values={vote.values} />
    </div>
  </section>
);

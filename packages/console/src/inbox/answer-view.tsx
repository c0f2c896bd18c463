/** The result of a request: who answered and when, or how else it ended. */
import { type Answer, type Interaction, isObject } from '@holdpoint/protocol';
import { endedAs, pickedOptions } from '@holdpoint/protocol/answers';
import { Badge, Time, type Tone, VisibleText } from '../parts/inline.tsx';
import { Fact } from '../parts/table.tsx';
import { Identified } from '../parts/who.tsx';

const ends: Record<string, [Tone, string]> = {
  answered: ['good', 'Answered'],
  declined: ['bad', 'Declined'],
  cancelled: ['plain', 'Cancelled'],
  deadline: ['warn', 'Deadline passed'],
  expired: ['warn', 'Expired'],
};

/** The words for the decision of an approval. */
const decided: Record<'allow' | 'reject', [Tone, string]> = { allow: ['good', 'Approved'], reject: ['bad', 'Denied'] };

/** Reports whether the picked option of an approval allows or rejects the action. */
function decisionOf(interaction: Interaction, answer: Answer | undefined): keyof typeof decided | undefined {
  const [kind] = pickedOptions(interaction, answer?.values ?? {}).map((option) => option.kind?.split('_')[0]);
  return kind === 'allow' || kind === 'reject' ? kind : undefined;
}

const automatic = { deadline: 'by the deadline', grant: 'by a grant', resolution: 'by the votes' } as const;

export function AnswerView({ interaction }: { interaction: Interaction }) {
  const { status, closedReason, closedAt, closedBy, cancelReason, answer, votes } = interaction;
  const end = closedReason === 'deadline' ? closedReason : endedAs(interaction);
  const decision = end === 'answered' ? decisionOf(interaction, answer) : undefined;
  const [tone, word] = decision ? decided[decision] : (ends[end] ?? ['plain', status]);
  // The name of the system would repeat the word next to it.
  const by = closedBy?.type === 'system' ? undefined : closedBy;
  return (
    <section class="answer-view" aria-label="Result">
      <p class="answer-end">
        <Badge tone={answer?.decision === 'declined' ? 'bad' : tone}>{word}</Badge>
        {by && (
          <span>
            {' '}
            by <Identified actor={by} />
          </span>
        )}
        {answer?.automatic && <span> {automatic[answer.automatic]}</span>}
        {closedAt && (
          <span>
            {' '}
            <Time at={closedAt} />
          </span>
        )}
      </p>
      <Quote text={cancelReason} />
      {answer && <Given {...{ answer, interaction }} />}
      {votes.length > 1 && <Votes title="Votes" interaction={interaction} />}
    </section>
  );
}

const Quote = ({ text }: { text: string | undefined }) =>
  text ? (
    <blockquote>
      <VisibleText text={text} />
    </blockquote>
  ) : null;

export const Votes = ({ title, interaction }: { title: string; interaction: Interaction }) => (
  <>
    <h3>{title}</h3>
    <ol class="votes">
      {interaction.votes.map((vote) => (
        <li key={vote.id}>
          <p>
            <Identified actor={vote.by} /> {voteWords(interaction, vote)} <Time at={vote.at} />
          </p>
          <Given answer={vote} interaction={interaction} />
        </li>
      ))}
    </ol>
  </>
);

function voteWords(interaction: Interaction, vote: Answer): string {
  const decision = decisionOf(interaction, vote);
  if (decision) return decision === 'allow' ? 'approved' : 'denied';
  return vote.decision === 'declined' ? 'declined' : 'voted';
}

/** The values under the labels of their fields. */
function Given({ answer, interaction }: { answer: Answer; interaction: Interaction }) {
  const { values, payload, reason, secretFields = [] } = answer;
  const labelOf = (name: string) => {
    const field = fieldOf(interaction, name);
    const label = field && 'label' in field ? field.label : undefined;
    // The decision field of an approval has the title of the request as its label.
    return label === undefined || label === interaction.title ? name : label;
  };
  // The badge says it already, unless the option has words of its own.
  const isSaid = (name: string) => name === 'decision' && decisionOf(interaction, answer) && !hasOwnWords(interaction);
  const given = Object.entries(values).filter(([name]) => !isSaid(name));
  const facts = [
    ...given.map(([name, value]) => [labelOf(name), wordsOf(interaction, name, value)] as const),
    ...secretFields.map((name) => [labelOf(name), 'Secret (handed to the requester once)'] as const),
    ...(payload === undefined ? [] : [['Payload', JSON.stringify(payload)] as const]),
  ];
  return (
    <>
      {facts.length > 0 && (
        <dl class="facts">
          {facts.map(([label, words]) => (
            <Fact key={label} name={<VisibleText text={label} />} value={<VisibleText text={words} />} />
          ))}
        </dl>
      )}
      <Quote text={reason} />
    </>
  );
}

/** Reports whether an approval has other options than the two that the server adds. */
const hasOwnWords = (interaction: Interaction): boolean => {
  const field = fieldOf(interaction, 'decision');
  const labels = field && 'options' in field ? field.options.map(({ label }) => label) : [];
  return labels.join() !== 'Allow,Deny';
};

const fieldOf = ({ fields }: Interaction, name: string) =>
  fields.find((field) => 'name' in field && field.name === name);

function wordsOf(interaction: Interaction, name: string, value: unknown): string {
  const field = fieldOf(interaction, name);
  const options = field && 'options' in field ? field.options : [];
  const one = (each: unknown): string => {
    if (typeof each === 'string') return options.find((option) => option.value === each)?.label ?? each;
    if (typeof each === 'boolean') return each ? 'Yes' : 'No';
    return isObject(each) && 'name' in each ? String(each.name) : JSON.stringify(each);
  };
  return [value].flat().map(one).join(', ');
}

/** The result of a request: who answered and when, or how else it ended. */
import type { Answer, Interaction } from '@holdpoint/protocol';
import { endedAs } from '@holdpoint/protocol/answers';
import { Badge, Time, type Tone, VisibleText } from '../parts/inline.tsx';

const ends: Record<string, { words: string; tone: Tone }> = {
  answered: { words: 'Answered', tone: 'good' },
  declined: { words: 'Declined', tone: 'bad' },
  cancelled: { words: 'Cancelled', tone: 'plain' },
  deadline: { words: 'Deadline passed', tone: 'warn' },
  expired: { words: 'Expired', tone: 'warn' },
};

const automatic = {
  deadline: 'by the deadline',
  grant: 'by a grant',
  resolution: 'by the votes',
} as const;

export function AnswerView({ interaction }: { interaction: Interaction }) {
  const { status, closedReason, closedAt, closedBy, cancelReason, answer, votes } = interaction;
  const end = ends[closedReason === 'deadline' ? closedReason : endedAs(interaction)];
  const tone = answer?.decision === 'declined' ? 'bad' : end?.tone;
  return (
    <section class="answer-view" aria-label="Result">
      <p class="answer-end">
        <Badge tone={tone ?? 'plain'}>{end?.words ?? status}</Badge>
        {closedBy && (
          <span>
            {' '}
            by <VisibleText text={closedBy.id} />
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
      {cancelReason && (
        <blockquote>
          <VisibleText text={cancelReason} />
        </blockquote>
      )}
      {answer && <Given {...{ answer, interaction }} />}
      {votes.length > 1 && (
        <>
          <h3>Votes</h3>
          <ol class="votes">
            {votes.map((vote) => (
              <Vote key={vote.id} {...{ vote, interaction }} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

export function Vote({ vote, interaction }: { vote: Answer; interaction: Interaction }) {
  return (
    <li>
      <p>
        <b>
          <VisibleText text={vote.by.id} />
        </b>{' '}
        {vote.decision === 'declined' ? 'declined' : 'approved'} <Time at={vote.at} />
      </p>
      <Given answer={vote} interaction={interaction} />
    </li>
  );
}

/** The values under the labels of their fields. */
function Given({ answer, interaction }: { answer: Answer; interaction: Interaction }) {
  const { values, payload, reason, secretFields = [] } = answer;
  const labelOf = (name: string) => {
    const field = interaction.fields.find((each) => 'name' in each && each.name === name);
    const label = field && 'label' in field ? field.label : undefined;
    // The decision field of an approval has the title of the request as its label.
    return label === undefined || label === interaction.title ? name : label;
  };
  const told: [string, string][] = [
    ...Object.entries(values).map(([name, value]): [string, string] => [
      labelOf(name),
      wordsOf(interaction, name, value),
    ]),
    ...secretFields.map((name): [string, string] => [labelOf(name), 'Secret (handed to the requester once)']),
    ...(payload === undefined ? [] : [['Payload', JSON.stringify(payload)] as [string, string]]),
  ];
  return (
    <>
      {told.length > 0 && (
        <dl class="facts">
          {told.map(([label, words]) => (
            <div key={label}>
              <dt>
                <VisibleText text={label} />
              </dt>
              <dd>
                <VisibleText text={words} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {reason && (
        <blockquote>
          <VisibleText text={reason} />
        </blockquote>
      )}
    </>
  );
}

function wordsOf({ fields }: Interaction, name: string, value: unknown): string {
  const field = fields.find((each) => 'name' in each && each.name === name);
  const labels = new Map(
    field && 'options' in field ? field.options.map((option) => [option.value, option.label]) : [],
  );
  const one = (each: unknown): string => {
    if (typeof each === 'string') return labels.get(each) ?? each;
    if (typeof each === 'boolean') return each ? 'Yes' : 'No';
    if (typeof each === 'object' && each !== null && 'name' in each) return String(each.name);
    return JSON.stringify(each);
  };
  return [value].flat().map(one).join(', ');
}

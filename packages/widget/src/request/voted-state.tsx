/** A question that the person has answered, and that waits for others: what they picked, and nothing to press. */
import type { Answer, Interaction } from '@holdpoint/protocol';
import { VisibleText } from '../blocks/visible-text.tsx';
import type { Strings } from '../strings/strings.ts';
import { Picked } from './picked.tsx';

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

/** Says who decided what and when: in one sentence if somebody else picked an option. */
import type { Interaction } from '@holdpoint/protocol';
import { endedAs, pickedOptions } from '@holdpoint/protocol/answers';
import { VisibleText } from '../blocks/visible-text.tsx';
import { filled } from '../strings/filled.ts';
import type { Strings } from '../strings/strings.ts';
import { momentOf } from './moment-of.ts';
import { Picked } from './picked.tsx';

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
  const who = name && (
    <bdi>
      <VisibleText text={isMine ? strings.you : name} />
    </bdi>
  );
  const values = answer?.values ?? {};
  const what = <Picked {...{ interaction, values, strings }} />;
  const isSentence = who && !isSystem && !isMine && pickedOptions(interaction, values).length > 0;
  return (
    <>
      <p>{isSentence ? filled(strings.chose, who, what) : endOf(interaction, strings)}</p>
      {!isSentence && what}
      <p class="hint decided-by">
        {!isSentence && who}
        {closedAt && <time dateTime={closedAt}>{momentOf(closedAt, locale)}</time>}
      </p>
    </>
  );
}

export function endOf(interaction: Interaction, strings: Strings): string {
  const end = endedAs(interaction);
  return end === 'pending' ? strings.loading : strings[end];
}

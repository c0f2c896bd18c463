/** The pending requests of a thread that the user may not answer. The conversation has the others. */
import type { Interaction } from '@holdpoint/protocol';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { QuestionCard } from '../inbox/question-card.tsx';
import { useClaim } from '../inbox/use-claim.ts';
import { useLoad } from '../load.ts';
import { claimOfOthers, isOwnClaim, mayAnswer, useMe } from '../me.ts';
import { VisibleText } from '../parts/inline.tsx';
import { WhoMayAnswer } from '../parts/who-may-answer.tsx';
import { service } from '../service.ts';
import type { ThreadLog } from './thread-log.ts';

type IsMine = (interaction: Interaction) => boolean;

/** Decides as the inbox does. A form that was shown stays, because the user may have begun to answer. */
export function useMine(): IsMine {
  const me = useMe();
  const latest = useRef(me);
  latest.current = me;
  const shown = useRef(new Set<string>()).current;
  return useCallback((interaction) => {
    const isMine = mayAnswer(interaction, latest.current) && !claimOfOthers(interaction, latest.current);
    if (isMine) shown.add(interaction.id);
    return shown.has(interaction.id);
  }, []);
}

interface ForOthersProps {
  threadId: string;
  log: ThreadLog;
  mine: IsMine;
}

export function ForOthers({ threadId, log, mine }: ForOthersProps) {
  const { data, reload } = useLoad(
    () => service.listInteractions({ threadId, status: 'pending', order: 'oldest', limit: 100 }),
    [threadId],
  );
  const changedAt = log.events.find(({ type }) => type.startsWith('interaction.'))?.seq;
  useEffect(() => {
    if (changedAt !== undefined) reload();
  }, [changedAt]);
  const others = data?.data.filter((each) => !mine(each)) ?? [];
  if (others.length === 0) return null;
  return (
    <section class="for-others" aria-labelledby="for-others">
      <h3 id="for-others">Pending requests for others</h3>
      <ul>
        {others.map((interaction) => (
          <ForOther key={interaction.id} interaction={interaction} />
        ))}
      </ul>
    </section>
  );
}

function ForOther({ interaction }: { interaction: Interaction }) {
  const me = useMe();
  const claim = useClaim(interaction);
  const [isOpen, open] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
        <summary>
          <span class="for-other">
            <b>
              <VisibleText text={interaction.title} />
            </b>
            <span class="hint">
              <WhoMayAnswer interaction={interaction} claim={claim && !isOwnClaim(claim, me) ? claim : undefined} />
            </span>
          </span>
        </summary>
        {isOpen && <QuestionCard interaction={interaction} />}
      </details>
    </li>
  );
}

/** One row of the inbox. */
import type { Interaction } from '@holdpoint/protocol';
import { votesNeeded } from '@holdpoint/protocol/answers';
import type { Names } from '../look-up.ts';
import { isOwnClaim, useMe } from '../me.ts';
import { agoOf, exactTime, kindWords, Time, VisibleText } from '../parts/inline.tsx';
import { ActorName } from '../parts/who.tsx';
import type { usePicks } from './pending-items.ts';
import { useClaim } from './use-claim.ts';

interface InboxRowProps {
  interaction: Interaction;
  names: Names;
  picks: ReturnType<typeof usePicks>;
  href: string;
  isOpen: boolean;
}

export function InboxRow({ interaction, names, picks, href, isOpen }: InboxRowProps) {
  const { id, title: question, kind, threadId, createdAt, deadline, votes, resolution } = interaction;
  const title = names.titleOf(threadId);
  const me = useMe();
  const claim = useClaim(interaction);
  const isPicked = picks.has(id);
  return (
    <div class={`inbox-row${isOpen ? ' is-open' : ''}${isPicked ? ' is-picked' : ''}`} data-id={id}>
      {picks.mayPick(id) ? (
        <label class="inbox-pick">
          <input
            type="checkbox"
            aria-label={`Select ${question}`}
            checked={isPicked}
            onClick={(event) => picks.toggle(id, event.shiftKey)}
          />
        </label>
      ) : (
        <span class="inbox-pick" />
      )}
      <a class="inbox-link" href={href} aria-current={isOpen ? 'true' : undefined}>
        <span class="inbox-title">
          <VisibleText text={question} />
        </span>
        <span class="inbox-about">
          <span class={`kind kind-${kind}`}>{kindWords[kind]}</span>
          <span class="inbox-where">
            <VisibleText text={names.agentOf(interaction)} />
            {title !== undefined && (
              <>
                {' '}
                in <VisibleText text={title} />
              </>
            )}
          </span>
          {claim && (
            <span class="inbox-claim">Claimed by {isOwnClaim(claim, me) ? 'you' : <ActorName actor={claim.by} />}</span>
          )}
          {resolution.mode !== 'first' && (
            <span class="inbox-votes">
              {votes.length} of {votesNeeded(resolution)} votes
            </span>
          )}
        </span>
        <span class="inbox-times">
          <Time at={createdAt} />
          {deadline && <Due at={deadline.at} />}
        </span>
      </a>
    </div>
  );
}

const soonMs = 3_600_000;

/** A deadline. It is highlighted in the last hour. */
function Due({ at, now = Date.now() }: { at: string; now?: number }) {
  const left = Date.parse(at) - now;
  return (
    <time class={left < soonMs ? 'due soon' : 'due'} dateTime={at} title={`Due ${exactTime(at)}`}>
      <span class="visually-hidden">Due </span>
      {left <= 0 ? 'now' : agoOf(at, now)}
    </time>
  );
}

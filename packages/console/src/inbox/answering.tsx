/** A pending request in the inbox: who it is for, and the form to answer it. */
import type { Interaction } from '@holdpoint/protocol';
import { useEffect, useRef } from 'preact/hooks';
import { useAbsentPerson } from '../look-up.ts';
import { isNamed, isOwnClaim, mayAnswer, useMe } from '../me.ts';
import { WhoMayAnswer } from '../parts/who-may-answer.tsx';
import { WidgetElement } from '../parts/widget-element.tsx';
import { YouAnswer } from '../parts/you-answer.tsx';
import { followViewing } from '../service.ts';
import { Assignment } from './assignment.tsx';
import { type Presence, usePresence } from './presence.ts';
import { QuestionCard } from './question-card.tsx';
import { useClaim } from './use-claim.ts';

interface AnsweringProps {
  interaction: Interaction;
  isBegun: boolean;
  onBegun(isBegun: boolean): void;
  onClosed(): void;
  onChanged(): void;
  onSend(): void;
}

/** A user who may not answer sees the question, and who may. */
export function Answering({ interaction, isBegun, onBegun, onClosed, onChanged, onSend }: AnsweringProps) {
  const me = useMe();
  const presence = usePresence(interaction.id);
  const { id, status, responder } = interaction;
  const absent = useAbsentPerson(isNamed(interaction, me.person) ? undefined : responder.assignees);
  const claim = useClaim(interaction);
  const isPending = status === 'pending';
  const isAsked = mayAnswer(interaction, me) || (me.answers && absent !== undefined);
  const others = claim && !isOwnClaim(claim, me) ? claim : undefined;
  const isBlocked = !isAsked || others !== undefined;
  return (
    <>
      {isPending && (
        <Assignment {...{ interaction, claim, isAsked, onSend, onChanged }} viewers={presence.viewers}>
          {!isBlocked && <YouAnswer absent={absent} />}
        </Assignment>
      )}
      <div role="status">
        {isPending && isBlocked && (
          <p class="notice">
            <WhoMayAnswer interaction={interaction} claim={others} />
          </p>
        )}
      </div>
      {/* A form that the user began stays, also if others have the request meanwhile. */}
      {isBlocked && !isBegun ? (
        <>
          <FollowViewing id={id} presence={presence} />
          <QuestionCard interaction={interaction} />
        </>
      ) : (
        <WidgetElement
          name="holdpoint-request"
          of={{ interaction: id }}
          onOpen={presence.onOpen}
          onViewing={presence.onViewing}
          onBegun={onBegun}
          onClosed={onClosed}
        />
      )}
    </>
  );
}

/** The form follows the request by itself. Without it, this does. */
function FollowViewing({ id, presence }: { id: string; presence: Presence }) {
  const latest = useRef(presence);
  latest.current = presence;
  useEffect(
    () =>
      followViewing(id, {
        onOpen: () => latest.current.onOpen(),
        onViewing: (viewing) => latest.current.onViewing(viewing),
      }),
    [id],
  );
  return null;
}

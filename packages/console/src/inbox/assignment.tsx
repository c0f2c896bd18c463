/** The assignees, the claim and the viewers of a request, and the buttons that change them. */
import type { Actor, Claim, Interaction } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { hasVoted, isAssigned, isOwnClaim, useMe } from '../me.ts';
import { Button, useAction } from '../parts/button.tsx';
import { Clock } from '../parts/inline.tsx';
import { ActorName, Assignees } from '../parts/who.tsx';
import { service } from '../service.ts';
import { Reassign } from './reassign.tsx';

interface AssignmentProps {
  interaction: Interaction;
  claim: Claim | undefined;
  /** The user may answer, unless somebody else has claimed the request. */
  isAsked: boolean;
  viewers: readonly Actor[];
  onSend(): void;
  onChanged(): void;
  children: ComponentChildren;
}

export function Assignment({ interaction, claim, isAsked, viewers, onSend, onChanged, children }: AssignmentProps) {
  const { id: interactionId, responder } = interaction;
  const { assignees } = responder;
  const me = useMe();
  const [isReassigning, setReassigning] = useState(false);
  const change = { interactionId, idempotencyKey: newKey() };
  const hasPressed = useRef(false);
  const press = (changing: Promise<unknown>) => {
    hasPressed.current = true;
    return changing.finally(onChanged);
  };
  const [takeClaim, isClaiming] = useAction(() => press(service.claimInteraction(change)));
  const [release, isReleasing] = useAction(() => press(service.releaseInteraction(change)));
  const actions = useRef<HTMLDivElement>(null);
  // Claim and Release take the place of each other. The focus of the pressed one moves on.
  useEffect(() => {
    if (hasPressed.current && document.activeElement === document.body)
      actions.current?.querySelector('button')?.focus();
    hasPressed.current = false;
  }, [claim?.at]);
  const isOwn = claim !== undefined && isOwnClaim(claim, me);
  const isOnlyOne = assignees?.length === 1 && isAssigned(interaction, me.person);
  const isOpen = isAsked && !hasVoted(interaction, me);
  // Nobody else competes for a request that names the user alone.
  const mayClaim = isOpen && !claim && !isOnlyOne;
  const maySend = isOpen && (!claim || isOwn);
  const mayReassign = me.isAdmin && !('of' in interaction.resolution);
  const mayRelease = claim !== undefined && (isOwn || me.isAdmin);
  return (
    <div class="assignment">
      <div class="assignment-state">
        {isAsked && <p>For {assignees ? <Assignees assignees={assignees} /> : <b>anyone</b>}</p>}
        <p role="status">
          {isOwn && (
            <>
              You have claimed this request until <Clock at={claim.until} />.
            </>
          )}
        </p>
        {children}
        <Viewers viewers={viewers} />
      </div>
      <div class="actions" ref={actions}>
        {mayClaim && <Button text="Claim" look="small" isOff={isClaiming} onClick={takeClaim} />}
        {mayRelease && (
          <Button text={isOwn ? 'Release' : 'Release claim'} look="small" isOff={isReleasing} onClick={release} />
        )}
        {maySend && <Button text="Send to a colleague…" look="small" onClick={onSend} />}
        {mayReassign && <Button text="Reassign…" look="small" onClick={() => setReassigning(true)} />}
      </div>
      {isReassigning && (
        <Reassign interaction={interaction} onClose={() => setReassigning(false)} onSaved={onChanged} />
      )}
    </div>
  );
}

/** Names at most this many viewers. */
const shownViewers = 3;

function Viewers({ viewers }: Pick<AssignmentProps, 'viewers'>) {
  if (viewers.length === 0) return null;
  const named = viewers.slice(0, shownViewers);
  const others = viewers.length - named.length;
  return (
    <p class="viewers">
      {named.map((viewer, index) => (
        <span key={`${viewer.type} ${viewer.id}`}>
          {index > 0 && (others === 0 && index === named.length - 1 ? ' and ' : ', ')}
          <b>
            <ActorName actor={viewer} />
          </b>
        </span>
      ))}
      {others > 0 && ` and ${others} more`} {viewers.length === 1 ? 'is' : 'are'} viewing this
    </p>
  );
}

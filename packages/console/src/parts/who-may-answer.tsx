/** Says why the user may not answer a request, and who may. */
import type { Claim, Interaction } from '@holdpoint/protocol';
import { useMe } from '../me.ts';
import { Clock } from './inline.tsx';
import { ActorName, Assignees } from './who.tsx';

interface WhoMayAnswerProps {
  interaction: Interaction;
  /** The claim of somebody else. */
  claim: Claim | undefined;
}

export function WhoMayAnswer({ interaction, claim }: WhoMayAnswerProps) {
  const { answers } = useMe();
  const { type, assignees } = interaction.responder;
  if (claim)
    return (
      <>
        Claimed by{' '}
        <b>
          <ActorName actor={claim.by} />
        </b>{' '}
        until <Clock at={claim.until} />. Nobody else may answer until then.
      </>
    );
  if (type === 'agent' || type === 'system')
    return <>Only {type === 'agent' ? 'an agent' : 'a system'} can answer this request, over the API.</>;
  if (assignees?.length === 0)
    return (
      <>
        Nobody is left to answer this request: everybody it named was deactivated. An admin can reassign or cancel it.
      </>
    );
  if (assignees)
    return (
      <>
        Only <Assignees assignees={assignees} /> may answer this request.
        {!answers && ' Your role reads requests and does not answer them.'}
      </>
    );
  return <>Your role reads requests and does not answer them. Any admin or member may answer this one.</>;
}

/** Names people and programs, and says how they were identified. */
import type { Actor, ActorRef, Via } from '@holdpoint/protocol';
import { useActorNames, useAssignee, usePersonName } from '../look-up.ts';
import { isAway } from '../me.ts';
import { VisibleText } from './inline.tsx';

/** The name of an actor. An actor without a recorded name is looked up. */
export function ActorName({ actor }: { actor: ActorRef & { name?: string } }) {
  const nameOf = useActorNames();
  const found = usePersonName(actor.name === undefined && actor.type === 'human' ? actor.id : undefined);
  return <VisibleText text={found ?? nameOf(actor)} />;
}

export const viaWords: Record<Via, string> = {
  oidc: 'signed in with an identity provider',
  passkey: 'signed in with a passkey',
  link: 'signed in with a link',
  mcp: 'with an MCP client',
  token: 'with a token',
  key: 'named by an API key',
  local: 'on the server',
  email: 'by email',
  slack: 'in Slack',
  rule: 'by a rule',
  deadline: 'by the deadline',
  unknown: 'identification not recorded',
};

/** An actor with the way in which it was identified, such as “Ada Rossi (signed in with a link)”. */
export function Identified({ actor }: { actor: Actor }) {
  const { type, via, keyId, onBehalfOf } = actor;
  const nameOf = useActorNames();
  const absent = usePersonName(onBehalfOf);
  const isByKey = type === 'human' && (via === 'key' || via === 'token') && keyId !== undefined;
  const key = isByKey ? nameOf({ type: 'agent', id: keyId }) : undefined;
  return (
    <span>
      <ActorName actor={actor} />
      {onBehalfOf !== undefined && (
        <>
          {' '}
          on behalf of <VisibleText text={absent ?? onBehalfOf} />
        </>
      )}
      {type === 'human' && (
        <span class="identified">
          {' ('}
          {key === undefined ? viaWords[via] : via === 'key' ? 'named by the API key ' : 'with a token of the API key '}
          {key !== undefined && <VisibleText text={key} />}
          {')'}
        </span>
      )}
    </span>
  );
}

/** Names who may answer: “Ada Rossi, Ben Okoro or the group Finance”. */
export const Assignees = ({ assignees }: { assignees: readonly string[] }) => (
  <>
    {assignees.map((assignee, index) => (
      <span key={assignee}>
        {index > 0 && (index === assignees.length - 1 ? ' or ' : ', ')}
        <Assignee assignee={assignee} />
      </span>
    ))}
  </>
);

/** The name of an assignee. A group is called one, and a person who is away has the name of their deputy behind it. */
export function Assignee({ assignee }: { assignee: string }) {
  const { name, isGroup, deputy } = useAssignee(assignee);
  const standIn = usePersonName(deputy && isAway(deputy) ? deputy.personId : undefined);
  return (
    <>
      {isGroup && 'the group '}
      <b>
        <VisibleText text={name} />
      </b>
      {standIn !== undefined && (
        <>
          {' '}
          (away, deputy: <VisibleText text={standIn} />)
        </>
      )}
    </>
  );
}

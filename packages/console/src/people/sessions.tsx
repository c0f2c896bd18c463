/** The open sessions of a person, with a button that ends each. */
import type { Person, PersonSession } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { usePaged } from '../load.ts';
import { useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Badge, exactTime, Time, VisibleText } from '../parts/inline.tsx';
import { Listed } from '../parts/states.tsx';
import { viaWords } from '../parts/who.tsx';
import { service, sessionEvent } from '../service.ts';

export function Sessions({ person }: { person: Person }) {
  const { id: personId } = person;
  const me = useMe();
  const isMe = me.person.id === personId;
  const sessions = usePaged((page) => service.listPersonSessions({ personId, limit: 100, ...page }), [personId]);
  const [ending, setEnding] = useState<PersonSession>();
  const name = isMe ? 'you' : person.name;
  return (
    <>
      <Listed
        of={sessions}
        rows={2}
        empty={
          <p class="card-body muted">
            <span>
              <VisibleText text={person.name} /> is not signed in anywhere.
            </span>
          </p>
        }
      >
        {(all) => (
          <ul class="rows">
            {all.map((session) => (
              <li key={session.id} class="row">
                <div class="row-main">
                  <p class="cell-main">
                    <VisibleText text={session.device} /> {session.isCurrent && <Badge tone="good">This browser</Badge>}
                  </p>
                  <p class="cell-sub">
                    {capital(viaWords[session.via])} <Time at={session.createdAt} /> · last used{' '}
                    <Time at={session.lastUsedAt} /> · ends {exactTime(session.expiresAt)}
                  </p>
                </div>
                {(isMe || me.isAdmin) && (
                  <Button
                    text="End session"
                    name={`End session: ${session.device}`}
                    look="small"
                    onClick={() => setEnding(session)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {ending && (
        <Confirm
          title="End this session?"
          verb="End session"
          onConfirm={() => service.endPersonSession({ personId, sessionId: ending.id })}
          done="Session ended."
          onDone={ending.isCurrent ? () => dispatchEvent(new Event(sessionEvent)) : sessions.reload}
          onClose={() => setEnding(undefined)}
        >
          <p>
            <VisibleText text={ending.device} /> is signed out. There, <VisibleText text={name} /> must sign in again.
          </p>
          {ending.isCurrent && <p>This is the session of this browser.</p>}
        </Confirm>
      )}
    </>
  );
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

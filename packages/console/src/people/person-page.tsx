/** One person: details, groups, sessions, and what an admin can do. */
import type { Person, SignInLink } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { useGroupNames, usePersonName } from '../look-up.ts';
import { rolesOf, useMe } from '../me.ts';
import { Button, useAction } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { exactTime, Time, VisibleText } from '../parts/inline.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Fact } from '../parts/table.tsx';
import { href } from '../route.ts';
import { savePerson, service } from '../service.ts';
import { StatusBadge } from './people-list.tsx';
import { EditPerson, LinkDialog } from './person-form.tsx';
import { Sessions } from './sessions.tsx';

export default function PersonPage({ id: personId = '' }: { id?: string }) {
  const me = useMe();
  const loaded = useLoad(() => service.getPerson({ personId }), [personId]);
  const person = loaded.data;
  return (
    <Page
      title={person?.name ?? 'Person'}
      parent={{ page: 'people', title: 'People' }}
      lead={
        person && (
          <>
            <StatusBadge status={person.status} />
            {person.id === me.person.id && ' This is you.'}
          </>
        )
      }
      actions={person && me.isAdmin && <Actions person={person} onChanged={loaded.reload} />}
    >
      <Shown of={loaded}>
        {(person) => (
          <>
            <Section title="Details">
              <Details person={person} />
            </Section>
            {person.status !== 'deactivated' && (
              <Section title="Sessions" lead="Browsers and programs in which this person is signed in.">
                <Sessions key={person.updatedAt} person={person} />
              </Section>
            )}
          </>
        )}
      </Shown>
    </Page>
  );
}

function Details({ person }: { person: Person }) {
  const groups = useGroupNames();
  const { id, email, locale, timeZone, identities, passkeys, deputy, createdAt, lastSeenAt } = person;
  const deputyName = usePersonName(deputy?.personId);
  const names = person.groups.map((group) => groups.get(group) ?? group);
  return (
    <dl class="facts card-body">
      <Fact name="Email" value={email && <VisibleText text={email} />} />
      <Fact name="Roles" value={rolesOf(person)} />
      <Fact name="Groups" value={names.length > 0 ? <VisibleText text={names.join(', ')} /> : 'None'} />
      <Fact name="Last seen" value={lastSeenAt ? <Time at={lastSeenAt} /> : 'Never'} />
      <Fact name="Invited" value={<Time at={createdAt} />} />
      <Fact
        name="Deputy"
        value={
          deputy && (
            <>
              <a href={href('people', deputy.personId)}>
                <VisibleText text={deputyName ?? deputy.personId} />
              </a>
              , from {exactTime(deputy.from)} until {exactTime(deputy.until)}
            </>
          )
        }
      />
      <Fact name="Language" value={locale} />
      <Fact name="Time zone" value={timeZone} />
      <Fact
        name="Accounts"
        value={identities.map(({ issuer, subject }) => `${subject} at ${issuer}`).join(', ') || undefined}
      />
      <Fact name="Passkeys" value={passkeys.map(({ name }) => name).join(', ') || undefined} />
      <Fact name="Id" value={<span class="mono">{id}</span>} />
      <Fact name="History" value={<History personId={id} />} />
    </dl>
  );
}

const History = ({ personId }: { personId: string }) => (
  <>
    <a href={href('people', undefined, { tab: 'log', subject: personId })}>Changes to this person</a>
    {' · '}
    <a href={href('people', undefined, { tab: 'log', actor: personId })}>Actions of this person</a>
  </>
);

type Doing = 'edit' | 'deactivate' | 'reactivate';

function Actions({ person, onChanged }: { person: Person; onChanged(): void }) {
  const { id: personId, name, status } = person;
  const me = useMe();
  const isMe = me.person.id === personId;
  const [doing, setDoing] = useState<Doing>();
  const [link, setLink] = useState<SignInLink>();
  const close = () => setDoing(undefined);
  const [createLink, isCreating] = useAction(async () =>
    setLink(await service.createSignInLink({ personId, idempotencyKey: newKey() })),
  );
  return (
    <>
      {status !== 'deactivated' && <Button text="New sign-in link" isOff={isCreating} onClick={createLink} />}
      <Button text="Edit" onClick={() => setDoing('edit')} />
      {status === 'deactivated' ? (
        <Button text="Reactivate…" onClick={() => setDoing('reactivate')} />
      ) : (
        !isMe && <Button text="Deactivate…" onClick={() => setDoing('deactivate')} />
      )}
      {doing === 'edit' && <EditPerson before={person} onClose={close} onSaved={onChanged} />}
      {doing === 'deactivate' && (
        <Confirm
          title={`Deactivate ${name}?`}
          verb="Deactivate"
          onConfirm={() => savePerson({ personId, status: 'deactivated' })}
          done={`Deactivated ${name}.`}
          onDone={onChanged}
          onClose={close}
        >
          <ul class="bullets">
            <li>
              <VisibleText text={name} /> is signed out at once, in every browser, and cannot sign in again.
            </li>
            <li>
              Pending requests no longer name them. Nobody can answer those that were only for them. An admin can cancel
              them.
            </li>
            <li>Earlier answers stay as they are. You can reactivate the person at any time.</li>
          </ul>
        </Confirm>
      )}
      {doing === 'reactivate' && (
        <Confirm
          title={`Reactivate ${name}?`}
          verb="Reactivate"
          isDanger={false}
          onConfirm={() => savePerson({ personId, status: 'active' })}
          done={`Reactivated ${name}.`}
          onDone={onChanged}
          onClose={close}
        >
          <p>
            <VisibleText text={name} /> can sign in again, with the roles and groups they had. Requests that named them
            before do not return.
          </p>
        </Confirm>
      )}
      {link && <LinkDialog name={name} link={link} onClose={() => setLink(undefined)} />}
    </>
  );
}

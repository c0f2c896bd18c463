/** Asks before an identity provider is removed, and names the people who can no longer sign in. */
import { defined, type IdentityProvider, type Person } from '@holdpoint/protocol';
import { pagesOf, useLoad } from '../load.ts';
import { useMe } from '../me.ts';
import { Confirm } from '../parts/dialog.tsx';
import { VisibleText } from '../parts/inline.tsx';
import { Shown } from '../parts/states.tsx';
import { service } from '../service.ts';

interface RemoveProviderProps {
  provider: IdentityProvider;
  /** All providers of the org. */
  all: readonly IdentityProvider[];
  onRemoved(): void;
  onClose(): void;
}

const mostNames = 5;

export function RemoveProvider({ provider: { id, name, issuer }, all, onRemoved, onClose }: RemoveProviderProps) {
  const remaining = all.filter((each) => each.id !== id).map((each) => each.issuer);
  const people = useLoad(() => peopleWithout(issuer, remaining), [issuer]);
  return (
    <Confirm
      title={`Remove ${name}?`}
      verb="Remove provider"
      onConfirm={() => service.deleteIdentityProvider({ providerId: id })}
      done={`Removed ${name}.`}
      onDone={onRemoved}
      onClose={onClose}
    >
      <p>
        Nobody can sign in with <VisibleText text={name} /> any more. Open sessions continue, and the provider can no
        longer end them.
      </p>
      <Shown of={people} rows={1}>
        {(locked) => <LockedOut people={locked} />}
      </Shown>
    </Confirm>
  );
}

function LockedOut({ people }: { people: readonly Person[] }) {
  const { person: me } = useMe();
  if (people.length === 0) return <p>Nobody loses their only way to sign in.</p>;
  const others = people.length - mostNames;
  return (
    <>
      <p>{people.length === 1 ? 'This person has' : 'These people have'} no other provider and no passkey:</p>
      <ul class="bullets">
        {people.slice(0, mostNames).map(({ id, name }) => (
          <li key={id}>
            <VisibleText text={name} />
            {id === me.id && ' (you)'}
          </li>
        ))}
        {others > 0 && <li>and {others} more</li>}
      </ul>
      <p>They need a sign-in link from an admin when their session ends.</p>
    </>
  );
}

/** The active people who have signed in with the issuer, and have no passkey and no account of a remaining issuer. */
async function peopleWithout(issuer: string, remaining: readonly string[]): Promise<Person[]> {
  const found: Person[] = [];
  for await (const { data } of pagesOf(({ cursor }) =>
    service.listPeople({ status: 'active', limit: 200, ...defined({ cursor }) }),
  ))
    found.push(
      ...data.filter(({ identities, passkeys }) => {
        const issuers = identities.map((identity) => identity.issuer);
        return issuers.includes(issuer) && passkeys.length === 0 && !issuers.some((each) => remaining.includes(each));
      }),
    );
  return found;
}

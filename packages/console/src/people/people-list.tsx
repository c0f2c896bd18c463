/** The list of people, with a search and filters. */
import { defined, type Page, type PeopleFilter, type Person } from '@holdpoint/protocol';
import { useEffect, useState } from 'preact/hooks';
import { fullPage, usePaged } from '../load.ts';
import { useGroupNames } from '../look-up.ts';
import { rolesOf, useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Select } from '../parts/form.tsx';
import { Badge, Time, type Tone, VisibleText } from '../parts/inline.tsx';
import { Section } from '../parts/page.tsx';
import { Empty, Listed } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { href, replaceQuery, useRoute } from '../route.ts';
import { service } from '../service.ts';
import { InvitePerson } from './person-form.tsx';

const pageSize = 50;
/** Long enough to finish a word. */
const settleMs = 250;

const statuses: readonly (readonly [Person['status'], string])[] = [
  ['active', 'Active'],
  ['invited', 'Invited'],
  ['deactivated', 'Deactivated'],
];

export function PeopleList() {
  const me = useMe();
  const { query } = useRoute();
  const groups = useGroupNames();
  const [wanted, want] = useWanted(query);
  const filter = useSettled(wanted);
  const people = usePaged((page) => listPeople(filter, page), [filter]);
  const [isInviting, setInviting] = useState(false);
  const isNarrowed = Object.values(wanted).some(Boolean);
  return (
    <Section
      isTitleHidden
      title="People"
      lead="People answer under their own name. Programs have API keys instead."
      action={me.isAdmin && <Button text="Invite a person" look="primary" onClick={() => setInviting(true)} />}
    >
      <search class="bar">
        <input
          type="search"
          class="control"
          aria-label="Search people"
          placeholder="Search name or email"
          maxLength={100}
          value={wanted.search}
          onInput={({ currentTarget }) => want({ search: currentTarget.value })}
        />
        <Select name="Status" value={wanted.status} options={statuses} onValue={(status) => want({ status })}>
          <option value="">Any status</option>
        </Select>
        {groups.size > 0 && (
          <Select name="Group" value={wanted.group} options={[...groups]} onValue={(group) => want({ group })}>
            <option value="">Any group</option>
          </Select>
        )}
      </search>
      <Listed
        of={people}
        rows={5}
        empty={
          <Empty title={isNarrowed ? 'No matching people' : 'No people yet'} icon="people">
            {isNarrowed ? 'Change the search or the filters.' : 'Invite the first person. They get a link to sign in.'}
          </Empty>
        }
      >
        {(all) => (
          <Table class="stacks people-table" heads={['Name', 'Status', 'Roles', 'Groups', ['Last seen', 'end']]}>
            {all.map((person) => (
              <PersonRow key={person.id} {...{ person, groups }} isMe={person.id === me.person.id} />
            ))}
          </Table>
        )}
      </Listed>
      {isInviting && <InvitePerson onClose={() => setInviting(false)} onSaved={people.reload} />}
    </Section>
  );
}

const badges: Record<Person['status'], [Tone, string]> = {
  active: ['good', 'Active'],
  invited: ['info', 'Invited'],
  deactivated: ['plain', 'Deactivated'],
};

export function StatusBadge({ status }: Pick<Person, 'status'>) {
  const [tone, word] = badges[status];
  return <Badge tone={tone}>{word}</Badge>;
}

interface PersonRowProps {
  person: Person;
  groups: ReadonlyMap<string, string>;
  isMe: boolean;
}

function PersonRow({ person, groups, isMe }: PersonRowProps) {
  const { id, name, email, status, lastSeenAt } = person;
  return (
    <tr>
      <td>
        <a class="cell-main" href={href('people', id)}>
          <VisibleText text={name} />
        </a>
        {isMe && <span class="muted"> (you)</span>}
        {email && (
          <span class="cell-sub">
            <VisibleText text={email} />
          </span>
        )}
      </td>
      <td>
        <StatusBadge status={status} />
      </td>
      <td>{rolesOf(person)}</td>
      <td class={person.groups.length > 0 ? undefined : 'wide-only'}>
        <GroupNames of={person.groups} names={groups} />
      </td>
      <td class="end">{lastSeenAt ? <Time at={lastSeenAt} /> : <span class="muted">Never</span>}</td>
    </tr>
  );
}

/** A row shows this many groups. The page of the person shows all. */
const mostGroups = 3;

function GroupNames({ of, names }: { of: readonly string[]; names: ReadonlyMap<string, string> }) {
  if (of.length === 0) return <span class="muted">None</span>;
  const words = of.slice(0, mostGroups).map((group) => names.get(group) ?? group);
  const rest = of.length - words.length;
  return <VisibleText text={words.join(', ') + (rest > 0 ? ` and ${rest} more` : '')} />;
}

type Wanted = Record<'search' | 'status' | 'group', string>;

/** The filters are part of the address. */
function useWanted(query: URLSearchParams): [Wanted, (change: Partial<Wanted>) => void] {
  const read = (name: string) => query.get(name) ?? '';
  const [wanted, setWanted] = useState<Wanted>({
    search: read('search'),
    status: read('status'),
    group: read('group'),
  });
  return [wanted, (change) => setWanted((before) => ({ ...before, ...change }))];
}

/** Returns the filters once they have not changed for a moment, and writes them to the address. */
function useSettled(wanted: Wanted): Wanted {
  const [settled, settle] = useState(wanted);
  useEffect(() => {
    if (wanted === settled) return;
    const timer = setTimeout(
      () => {
        settle(wanted);
        replaceQuery(wanted);
      },
      wanted.search === settled.search ? 0 : settleMs,
    );
    return () => clearTimeout(timer);
  }, [wanted]);
  return settled;
}

export async function listPeople(wanted: Partial<Wanted>, page: { cursor?: string }): Promise<Page<Person>> {
  const search = wanted.search?.trim() || undefined;
  const filter: PeopleFilter = defined({
    search,
    status: (wanted.status || undefined) as Person['status'] | undefined,
    group: wanted.group || undefined,
  });
  return fullPage((at) => service.listPeople({ ...filter, limit: pageSize, ...at }), page, pageSize);
}

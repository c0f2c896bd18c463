/** Finds one person of the org by part of a name or email. */
import type { Person } from '@holdpoint/protocol';
import { usePersonName } from '../look-up.ts';
import { service } from '../service.ts';
import { Combobox, type PickerProps } from './combobox.tsx';

interface PersonPickerProps extends PickerProps {
  /** The id of the picked person. */
  value: string | undefined;
  onValue(person: Person | undefined): void;
}

export function PersonPicker({ value, onValue, ...props }: PersonPickerProps) {
  const known = usePersonName(value);
  return (
    <Combobox
      placeholder="Search by name or email"
      {...props}
      one="person"
      many="people"
      picked={value === undefined ? undefined : (known ?? '')}
      onPick={onValue}
      find={async (text, most) => (await findPeople(text, most)).map((person) => ({ ...person, about: person.email }))}
    />
  );
}

/** A page may be short although more people follow, so this reads on until there are enough. Leaves out deactivated people. */
export async function findPeople(search: string, most: number): Promise<readonly Person[]> {
  const people: Person[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.listPeople({
      limit: 50,
      ...(search === '' ? {} : { search }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    people.push(...page.data.filter(({ status }) => status !== 'deactivated'));
    cursor = page.next;
  } while (cursor !== undefined && people.length < most);
  return people;
}

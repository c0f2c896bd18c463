/** Finds a person, a group, or an id that only an application knows, as an assignee of a request. */
import { groupNames } from '../look-up.ts';
import { Combobox, type Option, type PickerProps } from './combobox.tsx';
import { findPeople } from './person-picker.tsx';

interface AssigneePickerProps extends PickerProps {
  picked: Option | undefined;
  onPick(assignee: Option | undefined): void;
  hasGroups?: boolean;
  /** Also offers the typed text itself, as an id of an application. */
  hasOutsiders?: boolean;
}

export function AssigneePicker({ picked, onPick, hasGroups, hasOutsiders, ...props }: AssigneePickerProps) {
  const find = async (text: string, most: number): Promise<readonly Option[]> => {
    const [people, groups] = await Promise.all([findPeople(text, most), hasGroups ? groupNames() : []]);
    const wanted = text.toLowerCase();
    return [
      ...people.map(({ id, name, email }) => ({ id: `person:${id}`, name, about: email })),
      ...[...groups]
        .filter(([id, name]) => `${id} ${name}`.toLowerCase().includes(wanted))
        .map(([id, name]) => ({ id: `group:${id}`, name, about: 'Group' })),
      ...(hasOutsiders && text !== '' ? [{ id: text, name: text, about: 'Somebody without an account here' }] : []),
    ];
  };
  return (
    <Combobox
      {...props}
      one={hasGroups ? 'person or group' : 'person'}
      many={hasGroups ? 'people or groups' : 'people'}
      picked={picked?.name}
      onPick={onPick}
      find={find}
    />
  );
}

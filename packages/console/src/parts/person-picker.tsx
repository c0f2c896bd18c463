/** Finds one person of the org by part of a name or email: a combobox, as in the ARIA Authoring Practices Guide. */
import type { Person } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { usePersonName } from '../look-up.ts';
import { service } from '../service.ts';
import { VisibleText } from './inline.tsx';

interface PersonPickerProps {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  /** The id of the picked person. */
  value: string | undefined;
  onValue(person: Person | undefined): void;
  /** Ids of people who are not offered. */
  without?: readonly string[];
  /** Empties the field after each choice, to pick several people one after the other. */
  isRepeated?: boolean;
  /** In a bar of filters the label is only for screen readers. */
  isLabelHidden?: boolean;
  placeholder?: string;
}

const shownPeople = 8;
/** Long enough to finish a few letters. */
const settleMs = 200;

export function PersonPicker(props: PersonPickerProps) {
  const { label, hint, fault, value, onValue, without = [], isRepeated = false, isLabelHidden = false } = props;
  const id = useId();
  const known = usePersonName(value);
  const [typed, setTyped] = useState<string>();
  const [found, setFound] = useState<{ of: string; people: readonly Person[] }>();
  const [at, setAt] = useState(0);
  const [isOpen, open] = useState(false);
  const text = typed ?? (value === undefined ? '' : (known ?? ''));
  const people = (found?.people ?? []).filter((person) => !without.includes(person.id)).slice(0, shownPeople);
  const isLoading = isOpen && found?.of !== text;
  const latest = useRef(0);

  useEffect(() => {
    if (!isOpen) return;
    latest.current += 1;
    const turn = latest.current;
    const timer = setTimeout(async () => {
      const people = await findPeople(typed === undefined ? '' : text, shownPeople + without.length).catch(() => []);
      if (turn !== latest.current) return;
      setFound({ of: text, people });
      setAt(0);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [isOpen, text]);

  const pick = (person: Person | undefined) => {
    onValue(person);
    setTyped(isRepeated && person ? '' : undefined);
    if (isRepeated) setFound(undefined);
    open(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      open(true);
      if (isOpen && people.length > 0)
        setAt((at + (event.key === 'ArrowDown' ? 1 : people.length - 1)) % people.length);
    } else if (event.key === 'Enter' && isOpen && people[at]) pick(people[at]);
    else if (event.key === 'Escape' && isOpen) {
      open(false);
      setTyped(undefined);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field picker">
      <label for={id} class={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div class="picker-box">
        <input
          id={id}
          class="control"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && people[at] ? `${id}-${people[at].id}` : undefined}
          aria-describedby={described || undefined}
          aria-invalid={fault ? true : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={props.placeholder ?? 'Search by name or email'}
          value={text}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            if (value !== undefined) onValue(undefined);
            open(true);
          }}
          onClick={() => open(true)}
          onBlur={() => {
            open(false);
            setTyped(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        {/* The input keeps the focus, and names the current option. */}
        <div
          id={`${id}-list`}
          class="picker-list"
          role="listbox"
          aria-label="People"
          hidden={!isOpen || people.length === 0}
          tabIndex={-1}
        >
          {people.map((person, index) => (
            <div
              key={person.id}
              id={`${id}-${person.id}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              // Keeps the focus in the input, whose blur would close the list first.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(person)}
              onKeyDown={() => {}}
            >
              <span class="picker-name">
                <VisibleText text={person.name} />
              </span>
              {person.email && (
                <span class="cell-sub clip">
                  <VisibleText text={person.email} />
                </span>
              )}
            </div>
          ))}
        </div>
        {isOpen && !isLoading && people.length === 0 && <p class="picker-list picker-none hint">No matching people</p>}
      </div>
      <p class="visually-hidden" role="status">
        {isOpen && !isLoading && `${people.length} ${people.length === 1 ? 'person' : 'people'} found`}
      </p>
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** A page may be short although more people follow, so this reads on until there are enough. Leaves out deactivated people. */
async function findPeople(text: string, most: number): Promise<readonly Person[]> {
  const people: Person[] = [];
  const search = text.trim();
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

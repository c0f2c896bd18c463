/** The filters of the inbox: their controls, the address that keeps them, and the requests that match. */

import type { Person } from '@holdpoint/protocol';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Names } from '../look-up.ts';
import { isAssigned, isForGroupOf, useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Select, type SelectProps } from '../parts/form.tsx';
import { kindWords } from '../parts/inline.tsx';
import { Segments } from '../parts/tabs.tsx';
import { replaceQuery } from '../route.ts';
import type { PendingItem } from './pending-items.ts';

const everything = { show: '', text: '', thread: '', agent: '', kind: '', age: '', due: '', order: '' };
type Wanted = typeof everything;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Choices = Record<string, [words: string, fits: (ms: number) => boolean]>;

const ages: Choices = {
  'last-hour': ['Created in the last hour', (age) => age <= hourMs],
  'last-day': ['Created in the last day', (age) => age <= dayMs],
  'over-hour': ['Pending for over an hour', (age) => age > hourMs],
  'over-day': ['Pending for over a day', (age) => age > dayMs],
  'over-week': ['Pending for over a week', (age) => age > 7 * dayMs],
};

/** By the time left. It is NaN without a deadline. */
const dues: Choices = {
  hour: ['Due within an hour', (left) => left <= hourMs],
  day: ['Due within a day', (left) => left <= dayMs],
  some: ['With a deadline', (left) => !Number.isNaN(left)],
  none: ['Without a deadline', Number.isNaN],
};

const wordsOf = (choices: Choices) => Object.entries(choices).map(([id, [words]]) => [id, words] as const);

const orders = { '': 'Most urgent first', oldest: 'Oldest first', newest: 'Newest first' };

export function narrow(
  items: readonly PendingItem[],
  wanted: Wanted,
  { names, me, now }: { names: Names; me: Person; now: number },
): readonly PendingItem[] {
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitsAge = ages[wanted.age]?.[1];
  const fitsDue = dues[wanted.due]?.[1];
  return shownBy(wanted.show, items, me).filter(({ interaction, text }) => {
    const { threadId, kind, createdAt, deadline } = interaction;
    if (wanted.thread && threadId !== wanted.thread) return false;
    if (wanted.kind && kind !== wanted.kind) return false;
    if (wanted.agent && names.agentOf(interaction) !== wanted.agent) return false;
    if (fitsAge && !fitsAge(now - Date.parse(createdAt))) return false;
    if (fitsDue && !fitsDue(deadline ? Date.parse(deadline.at) - now : Number.NaN)) return false;
    return words.every((word) => text.includes(word) || names.textOf(interaction).includes(word));
  });
}

const shows = { '': 'All', mine: 'Mine', groups: 'My groups' };

function shownBy(show: string, items: readonly PendingItem[], me: Person): readonly PendingItem[] {
  if (show === 'mine') return items.filter(({ interaction }) => isAssigned(interaction, me));
  if (show === 'groups') return items.filter(({ interaction }) => isForGroupOf(interaction, me));
  return items;
}

interface ShowProps {
  wanted: Wanted;
  items: readonly PendingItem[];
  onWant(change: Partial<Wanted>): void;
}

/** Chooses between all requests, those of the user, and those of the user's groups. */
export function ShowSegments({ wanted, items, onWant }: ShowProps) {
  const { person } = useMe();
  const options = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(shows).map(([show, title]) => {
          const count = shownBy(show, items, person).length;
          return [show, show && count > 0 ? `${title} (${count.toLocaleString('en')})` : title];
        }),
      ) as typeof shows,
    [items, person],
  );
  const current = (Object.hasOwn(shows, wanted.show) ? wanted.show : '') as keyof typeof shows;
  return <Segments legend="Requests" name="show" {...{ options, current }} onChange={(show) => onWant({ show })} />;
}

/** UTC times and time-ordered ids sort as text, so half a million comparisons need no parsing. */
export function sorted(items: readonly PendingItem[], order: string): readonly PendingItem[] {
  const byAge = (a: PendingItem, b: PendingItem) => compare(a.interaction.createdAt, b.interaction.createdAt);
  const byId = (a: PendingItem, b: PendingItem) => compare(a.interaction.id, b.interaction.id);
  const byDue = (a: PendingItem, b: PendingItem) =>
    compare(a.interaction.deadline?.at ?? '9', b.interaction.deadline?.at ?? '9');
  const byTime = (a: PendingItem, b: PendingItem) => byAge(a, b) || byId(a, b);
  if (order === 'newest') return items.toSorted((a, b) => byTime(b, a));
  return items.toSorted(order === 'oldest' ? byTime : (a, b) => byDue(a, b) || byTime(a, b));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface FiltersProps {
  wanted: Wanted;
  onWant(change: Partial<Wanted>): void;
  agents: readonly string[];
  threads: SelectProps['options'];
}

/** What “Clear filters” leaves as it is. */
const kept = ['show', 'order'];

export function Filters({ wanted, onWant, agents, threads }: FiltersProps) {
  const { seesOrg } = useMe();
  const isNarrowed = Object.entries(wanted).some(([name, value]) => !kept.includes(name) && value !== '');
  const lists: [name: keyof Wanted, label: string, options: SelectProps['options']][] = [
    ...(seesOrg ? [['thread', 'Thread', threads] as [keyof Wanted, string, SelectProps['options']]] : []),
    ['agent', 'Agent', agents.map((agent) => [agent, agent])],
    ['kind', 'Kind', Object.entries(kindWords)],
    ['age', 'Age', wordsOf(ages)],
    ['due', 'Deadline', wordsOf(dues)],
    ['order', 'Order', Object.entries(orders)],
  ];
  return (
    <search class="inbox-filters">
      <input
        type="search"
        class="control inbox-search"
        aria-label="Search requests"
        placeholder="Search title, prompt, thread, fields"
        value={wanted.text}
        onInput={({ currentTarget }) => onWant({ text: currentTarget.value })}
      />
      {lists.map(([name, label, options]) => (
        <Select
          key={name}
          name={label}
          value={wanted[name]}
          options={options}
          onValue={(value) => onWant({ [name]: value })}
          class={wanted[name] === '' ? '' : 'is-set'}
        >
          {name !== 'order' && <option value="">{`Any ${label.toLowerCase()}`}</option>}
          {/* An address may name a thread that has no pending request. */}
          {wanted[name] !== '' && !options.some(([value]) => value === wanted[name]) && (
            <option value={wanted[name]}>{wanted[name]}</option>
          )}
        </Select>
      ))}
      {isNarrowed && (
        <Button
          text="Clear filters"
          look="small"
          onClick={() => onWant({ ...everything, show: wanted.show, order: wanted.order })}
        />
      )}
    </search>
  );
}

const names = Object.keys(everything) as (keyof Wanted)[];
/** A browser allows about ten address changes a second. Users type faster. */
const settleMs = 300;

/** Keeps the filters in the address, so that a link opens the same list. */
export function useWanted(query: URLSearchParams): [Wanted, (change: Partial<Wanted>) => void] {
  const [wanted, setWanted] = useState(() => read(query));
  const written = useRef(query.toString());
  const asked = query.toString();
  // The user followed a link to other filters.
  useEffect(() => {
    if (asked === written.current) return;
    written.current = asked;
    setWanted(read(query));
  }, [asked]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const next = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== '')).toString();
      if (next === written.current) return;
      written.current = next;
      replaceQuery({ ...wanted });
    }, settleMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  return [wanted, (change) => setWanted((before) => ({ ...before, ...change }))];
}

const read = (query: URLSearchParams): Wanted =>
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Wanted;

/** Search and filters of the inbox, which are part of the address. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Select, type SelectProps } from '../parts/form.tsx';
import { replaceQuery } from '../route.ts';
import { ages, dues, everything, kindWords, orders, type Wanted } from './filter-items.ts';

interface FiltersProps {
  wanted: Wanted;
  onWant(change: Partial<Wanted>): void;
  agents: readonly string[];
  threads: SelectProps['options'];
}

export function Filters({ wanted, onWant, agents, threads }: FiltersProps) {
  const isNarrowed = Object.entries(wanted).some(([name, value]) => name !== 'order' && value !== '');
  const lists: [name: keyof Wanted, label: string, options: SelectProps['options']][] = [
    ['thread', 'Thread', threads],
    ['agent', 'Agent', agents.map((agent) => [agent, agent])],
    ['kind', 'Kind', Object.entries(kindWords)],
    ['age', 'Age', Object.entries(ages)],
    ['due', 'Deadline', Object.entries(dues)],
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
        <Button text="Clear filters" look="small" onClick={() => onWant({ ...everything, order: wanted.order })} />
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
  Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<keyof Wanted, string>;

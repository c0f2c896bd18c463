/** Search and filters of the inbox, which are part of the address. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { replaceQuery } from '../route.ts';
import { ages, dues, everything, kindWords, orders, type Wanted } from './filter-items.ts';

interface FiltersProps {
  wanted: Wanted;
  onWant(change: Partial<Wanted>): void;
  agents: readonly string[];
  threads: readonly { id: string; title: string }[];
}

export function Filters({ wanted, onWant, agents, threads }: FiltersProps) {
  const isNarrowed = Object.entries(wanted).some(([name, value]) => name !== 'order' && value !== '');
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
      <Pick label="Thread" name="thread" any="Any thread" {...{ wanted, onWant }}>
        {threads.map(({ id, title }) => [id, title])}
      </Pick>
      <Pick label="Agent" name="agent" any="Any agent" {...{ wanted, onWant }}>
        {agents.map((agent) => [agent, agent])}
      </Pick>
      <Pick label="Kind" name="kind" any="Any kind" {...{ wanted, onWant }}>
        {Object.entries(kindWords)}
      </Pick>
      <Pick label="Age" name="age" any="Any age" {...{ wanted, onWant }}>
        {Object.entries(ages)}
      </Pick>
      <Pick label="Deadline" name="due" any="Any deadline" {...{ wanted, onWant }}>
        {Object.entries(dues)}
      </Pick>
      <Pick label="Order" name="order" {...{ wanted, onWant }}>
        {Object.entries(orders)}
      </Pick>
      {isNarrowed && (
        <button type="button" class="button small" onClick={() => onWant({ ...everything, order: wanted.order })}>
          Clear filters
        </button>
      )}
    </search>
  );
}

interface PickProps {
  label: string;
  name: keyof Wanted;
  any?: string;
  children: (readonly [value: string, words: string])[];
  wanted: Wanted;
  onWant(change: Partial<Wanted>): void;
}

function Pick({ label, name, any, children, wanted, onWant }: PickProps) {
  const value = wanted[name];
  // An address may name a thread that has no pending request.
  const isKnown = value === '' || children.some(([each]) => each === value);
  return (
    <select
      class={value === '' ? 'control' : 'control is-set'}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onWant({ [name]: currentTarget.value })}
    >
      {any && <option value="">{any}</option>}
      {!isKnown && <option value={value}>{value}</option>}
      {children.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
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

const read = (query: URLSearchParams): Wanted => {
  const given = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as unknown as Wanted;
  return { ...everything, ...given };
};

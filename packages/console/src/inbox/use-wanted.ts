/** The filters: a part of the address, so that a link leads to the same list. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { replaceQuery } from '../route.ts';
import { everything, type Wanted } from './narrow.ts';

const names = Object.keys(everything) as (keyof Wanted)[];
/** A browser takes some ten new addresses a second; people type faster. */
const settleMs = 300;

export function useWanted(query: URLSearchParams): [Wanted, (change: Partial<Wanted>) => void] {
  const [wanted, setWanted] = useState(() => read(query));
  const written = useRef(query.toString());
  const asked = query.toString();
  // Somebody followed a link to other filters.
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

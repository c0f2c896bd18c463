/** The current page, from the part of the address after #, so that any file server can serve the console. */
import { defined } from '@holdpoint/protocol';
import { useEffect, useState } from 'preact/hooks';
import { useEvents } from './load.ts';

export interface Route {
  /** The page name, such as inbox. An empty address is overview. */
  page: string;
  id?: string;
  query: URLSearchParams;
}

export function parseHash(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [page, id] = path.split('/').map(decode);
  return { page: page || 'overview', ...defined({ id: id || undefined }), query: new URLSearchParams(query) };
}

/** A truncated address must not throw. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Query = Readonly<Record<string, string | undefined>>;

export function href(page: string, id?: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
  const path = page === 'overview' ? '' : encodeURIComponent(page);
  const rest = id === undefined ? '' : `/${encodeURIComponent(id)}`;
  return `#/${path}${rest}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
}

/** The whole address of a page, to send to others. */
export const addressOf = (page: string, id?: string): string =>
  `${location.origin}${location.pathname}${href(page, id)}`;

export function go(to: string): void {
  location.hash = to;
}

/** Filters are part of the address. Typing in them adds no entries to the history. */
export function replaceQuery(query: Query): void {
  const { page, id } = parseHash(location.hash);
  history.replaceState(null, '', href(page, id, query));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  const follow = () => setHash(location.hash);
  useEvents(window, ['hashchange'], follow);
  // The address may have changed between the first render and this effect.
  useEffect(follow, []);
  return parseHash(hash);
}

/** A choice that is part of the address. The first one is the default, which the address leaves out. */
export function useChoice<Id extends string>(
  name: string,
  titles: Readonly<Record<Id, string>>,
): [current: Id, choose: (id: Id) => void] {
  const { query } = useRoute();
  const ids = Object.keys(titles) as [Id, ...Id[]];
  const choose = (id: Id) => replaceQuery({ ...Object.fromEntries(query), [name]: id === ids[0] ? undefined : id });
  return [ids.find((id) => id === query.get(name)) ?? ids[0], choose];
}

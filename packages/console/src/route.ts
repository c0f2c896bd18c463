/** Where one is in the console: the part of the address after the #, so that any file server can serve the page. */
import { defined } from '@holdpoint/protocol';
import { useEffect, useState } from 'preact/hooks';

export interface Route {
  /** Such as inbox; overview where the address names none. */
  page: string;
  id?: string;
  query: URLSearchParams;
}

export function parseHash(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [page, id] = path.split('/').map(decode);
  return { page: page || 'overview', ...defined({ id: id || undefined }), query: new URLSearchParams(query) };
}

/** An address that somebody has cut off in the middle is still one of some page. */
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

export function go(to: string): void {
  location.hash = to;
}

/** Filters are a part of the address, and typing in them leaves no trail of addresses behind. */
export function replaceQuery(query: Query): void {
  const { page, id } = parseHash(location.hash);
  history.replaceState(null, '', href(page, id, query));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    // It may have changed between the first picture and this.
    follow();
    return () => removeEventListener('hashchange', follow);
  }, []);
  return parseHash(hash);
}

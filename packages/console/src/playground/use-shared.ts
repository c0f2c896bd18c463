/** The request in the address, so that a link leads to it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { href, parseHash, replaceQuery } from '../route.ts';
import { fold, unfold } from './share.ts';

export interface Shared {
  dialect: string | null;
  text: string;
}

const settleMs = 400;

/** Gives the link, or undefined where the request is too large for one. */
export function useShared(dialect: string, text: string, onShared: (shared: Shared) => void): string | undefined {
  const [link, setLink] = useState<string | undefined>(location.href);
  const written = useRef('');
  const isRead = useRef(false);
  useEffect(() => {
    const read = async () => {
      const { page, query } = parseHash(location.hash);
      const folded = query.get('request') ?? '';
      if (page !== 'playground' || folded === written.current) return;
      written.current = folded;
      const told = folded && (await unfold(folded));
      if (told) onShared({ dialect: query.get('dialect'), text: told });
    };
    void read().then(() => {
      isRead.current = true;
    });
    const again = () => void read();
    addEventListener('hashchange', again);
    return () => removeEventListener('hashchange', again);
  }, []);
  useEffect(() => {
    const timer = setTimeout(async () => {
      const folded = await fold(text);
      if (!isRead.current || parseHash(location.hash).page !== 'playground') return;
      const query = folded ? { dialect, request: folded } : {};
      setLink(folded && `${location.origin}${location.pathname}${href('playground', undefined, query)}`);
      if ((folded ?? '') === written.current) return;
      written.current = folded ?? '';
      replaceQuery(query);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [dialect, text]);
  return link;
}

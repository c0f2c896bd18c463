/** Keeps the request in the address, compressed, so that a link opens it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useEvents } from '../load.ts';
import { href, parseHash, replaceQuery } from '../route.ts';

/** The longest compressed request in an address. */
const maxShared = 8_000;
/** An address comes from others, so its decompressed size is limited. */
const maxUnfolded = 262_144;

async function fold(text: string): Promise<string | undefined> {
  const squeezed = await all(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')), maxUnfolded);
  if (!squeezed) return undefined;
  const folded = btoa(Array.from(squeezed, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return folded.length <= maxShared ? folded : undefined;
}

async function unfold(folded: string): Promise<string | undefined> {
  try {
    const bytes = Uint8Array.from(atob(folded.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const unfolded = await all(stream, maxUnfolded);
    return unfolded && new TextDecoder().decode(unfolded);
  } catch {
    return undefined;
  }
}

/** The bytes of a stream. Undefined if there are more than `most`. */
async function all(stream: ReadableStream<Uint8Array<ArrayBuffer>>, most: number): Promise<Uint8Array | undefined> {
  const reader = stream.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    length += value.length;
    if (length > most) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(value);
  }
}

const settleMs = 400;

/** Returns the link, or undefined if the request is too large for one. */
export function useShared(
  dialect: string,
  text: string,
  onShared: (shared: { dialect: string | null; text: string }) => void,
): string | undefined {
  const [link, setLink] = useState<string | undefined>(location.href);
  const written = useRef('');
  const isRead = useRef(false);
  const read = async () => {
    const { page, query } = parseHash(location.hash);
    const folded = query.get('request') ?? '';
    if (page !== 'playground' || folded === written.current) return;
    written.current = folded;
    const shared = folded && (await unfold(folded));
    if (shared) onShared({ dialect: query.get('dialect'), text: shared });
  };
  useEvents(window, ['hashchange'], () => void read());
  useEffect(() => {
    void read().then(() => {
      isRead.current = true;
    });
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

/** Which messages a search finds, and what it shows of them: every word of the query is a word of the message, the last may go on. */

interface Word {
  from: number;
  to: number;
  folded: string;
}

/** Of a long message only its beginning is searched; a word costs some microseconds. */
const searchedLength = 10_000;
const wordsShown = 20;
const wordsBefore = 5;

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
    folded: fold(word),
  }));

interface Wanted {
  whole: string[];
  /** The last word, which may be the beginning of one. */
  begun: string | undefined;
}

export function toWanted(query: string): Wanted {
  const words = wordsOf(query).map(({ folded }) => folded);
  return { whole: words.slice(0, -1), begun: words.at(-1) };
}

/** The part around the first hit as HTML, with each hit in `<mark>`; undefined where the message is not found. */
export function findIn(message: string, { whole, begun }: Wanted): string | undefined {
  if (begun === undefined) return undefined;
  const text = message.slice(0, searchedLength);
  const words = wordsOf(text);
  const isBegun = ({ folded }: Word) => folded.startsWith(begun);
  const isHit = (word: Word) => whole.includes(word.folded) || isBegun(word);
  const known = new Set(words.map(({ folded }) => folded));
  if (!words.some(isBegun) || !whole.every((word) => known.has(word))) return undefined;
  const start = Math.max(0, words.findIndex(isHit) - wordsBefore);
  const shown = words.slice(start, start + wordsShown);
  const isCutBefore = start > 0;
  const isCutAfter = start + wordsShown < words.length || text.length < message.length;
  let at = isCutBefore ? (shown[0]?.from ?? 0) : 0;
  let html = isCutBefore ? '…' : '';
  for (const word of shown) {
    const shownWord = escaped(text.slice(word.from, word.to));
    html += escaped(text.slice(at, word.from)) + (isHit(word) ? `<mark>${shownWord}</mark>` : shownWord);
    at = word.to;
  }
  return html + (isCutAfter ? '…' : escaped(text.slice(at)));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => entities[mark] ?? mark);

export const searchedSize = (text: string): number => Math.min(text.length, searchedLength);

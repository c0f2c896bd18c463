/** A text as the words that are compared: letters without case, accents and the marks around them. */

/** Scripts that put no space between words: each of their letters stands alone. */
const alone = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmr}\\p{scx=Mymr}]';
const word = new RegExp(`${alone}|(?:(?!${alone})[\\p{L}\\p{N}\\p{M}_])+|[\\p{S}#%@*/]`, 'gu');

export function wordsOf(text: string): string[] {
  return folded(text).replaceAll('&', ' and ').replaceAll(/['’ʼ]/g, '').match(word) ?? [];
}

/** For a comparison of the whole: also what is made of marks alone can be meant. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Where the words stand within others, as a whole and in their order. */
export function placesIn(words: readonly string[], wanted: readonly string[]): number[] {
  if (wanted.length === 0) return [];
  return words.flatMap((_, start) => (wanted.every((one, offset) => words[start + offset] === one) ? [start] : []));
}

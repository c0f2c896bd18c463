/** Shows text that somebody else wrote so that a reader sees every character. */
import { hiddenCharacter } from './hidden-character.ts';
import type { Problem } from './problem.ts';

/** Scripts that use joiners: Arabic and related scripts, and those of South and South-East Asia. */
const joined =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Nkoo}\\p{scx=Adlm}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}]';
/** Scripts without spaces, in which U+200B says where a line may break. */
const unspaced = '[\\p{scx=Khmr}\\p{scx=Laoo}\\p{scx=Mymr}\\p{scx=Thai}]';
const emoji = '\\p{ExtPict}[\\p{EMod}\\ufe0e\\ufe0f]?';

/**
 * Sequences in which hidden characters are ordinary. Tags are allowed only in the flags of England, Scotland and Wales.
 */
const ordinary = [
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
  `${emoji}(?:\\u200d${emoji})*`,
  '[\\d#*]\\ufe0f\\u20e3',
  '\\p{UIdeo}[\\u{e0100}-\\u{e01ef}]',
  '\\p{sc=Mong}[\\u180b-\\u180f]',
  `${joined}(?:\\u200d|\\u200c(?=${joined}))`,
  `${unspaced}\\u200b(?=${unspaced})`,
];

const pattern = new RegExp(`${ordinary.join('|')}|((?:${hiddenCharacter.source})+)`, 'gu');
const everyHidden = new RegExp(hiddenCharacter.source, 'gu');
/** At most this many hidden characters in a row are named. */
const named = 3;

/**
 * Splits a text into parts. Parts at even indexes are shown as they are; each part between them names hidden
 * characters, such as `U+202E`.
 */
export function visibleParts(text: string): string[] {
  if (!hiddenCharacter.test(text)) return [text];
  const parts: string[] = [];
  let from = 0;
  for (const { 1: hidden, index } of text.matchAll(pattern)) {
    if (hidden === undefined) continue;
    parts.push(text.slice(from, index), nameOf(hidden));
    from = index + hidden.length;
  }
  return [...parts, text.slice(from)];
}

/** Joins the parts into one text, for places that cannot hold elements. */
export const visibleText = (text: string): string =>
  visibleParts(text)
    .map((part, index) => (index % 2 === 0 ? part : `[${part}]`))
    .join('');

/** Reports whether a person can see nothing of the text. */
export const isBlankText = (text: string): boolean => text.replaceAll(everyHidden, '').trim() === '';

/** Returns a problem if a text is given and a person can see nothing of it. */
export const mustBeSeen = (text: string | undefined, pointer: string, message: string): Problem[] =>
  text !== undefined && isBlankText(text) ? [{ pointer, code: 'required', message }] : [];

function nameOf(hidden: string): string {
  const codes = [...hidden].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  const rest = codes.length - named;
  return rest > 0 ? `${codes.slice(0, named).join(' ')} +${rest}` : codes.join(' ');
}

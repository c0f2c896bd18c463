/** Finds words, ordinals ("the second one", "2", "the last") and a plain yes or no in a text. */

/** Scripts that put no space between words. Each of their letters is a word. */
const alone = '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmr}\\p{scx=Mymr}]';
const word = new RegExp(`${alone}|(?:(?!${alone})[\\p{L}\\p{N}\\p{M}_])+|[\\p{S}#%@*/]`, 'gu');

export function wordsOf(text: string): string[] {
  return folded(text).replaceAll('&', ' and ').replaceAll(/['’ʼ]/g, '').match(word) ?? [];
}

/** Folds a text for comparison as a whole. Texts of symbols alone stay comparable. */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The positions at which the wanted words occur in sequence. */
export function placesIn(words: readonly string[], wanted: readonly string[]): number[] {
  if (wanted.length === 0) return [];
  return words.flatMap((_, start) => (wanted.every((one, offset) => words[start + offset] === one) ? [start] : []));
}

const ordinalWords = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const cardinalWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Filler words. With any other word in the text, "first" may mean anything ("first, tell me more"). */
const around = new Set(
  `the one ones option options choice number no nr please thanks thank you ok okay yes sure i id ill would like want
  will take choose pick select prefer go going with for lets let us we give me my answer is its it that this and`.split(
    /\s+/,
  ),
);

export const saysNothing = (word: string): boolean => around.has(word);

/** The positions that a text names, from 0. Empty if the text says anything else, or names a position that does not exist. */
export function ordinalsIn(words: readonly string[], length: number): number[] {
  const said = words.filter((word, index) => word !== '#' && !isAround(words, index));
  const places = said.map((word) => placeOf(word, length));
  return places.every((place) => place !== undefined) ? [...new Set(places)] : [];
}

/** "One" is a place after "number" or alone, and a pronoun elsewhere. */
function isAround(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  if (word === 'one' && (words.length === 1 || /^(number|option|choice)$/.test(words[index - 1] ?? ''))) return false;
  return around.has(word);
}

function placeOf(word: string, length: number): number | undefined {
  const place = word === 'last' ? length - 1 : indexOf(word);
  return place >= 0 && place < length ? place : undefined;
}

function indexOf(word: string): number {
  const digits = /^(\d{1,3})(?:st|nd|rd|th)?$/.exec(word)?.[1];
  if (digits !== undefined) return Number(digits) - 1;
  return ordinalWords.includes(word) ? ordinalWords.indexOf(word) : cardinalWords.indexOf(word);
}

const phrases = (text: string): string[][] => text.split(',').map((phrase) => phrase.trim().split(' '));

const yes = phrases(
  `yes,y,yeah,yep,yup,sure,ok,okay,of course,absolutely,definitely,certainly,correct,right,true,agreed,i agree,i do,fine,
  great,good,perfect,go ahead,go for it,do it,do that,do so,lets do it,lets do that,lets go,looks good,sounds good,that is fine,thats fine,approve,
  approved,i approve,allow,allowed,accept,accepted,i accept,confirm,confirmed,i confirm,proceed,continue,\u{1f44d},\u2705`,
);
const no = phrases(
  `no,n,nope,nah,no way,not now,not yet,not today,not this time,not really,do not,dont,dont do it,dont do that,do not do it,do not do that,i dont,i do not,
  never,deny,denied,reject,rejected,i reject,decline,declined,i decline,refuse,i refuse,disapprove,false,wrong,incorrect,stop,
  no thanks,no thank you,\u{1f44e},\u274c`,
);
const polite = phrases('please,thanks,thank you,thank you very much,it,that,this,now,then,with it,with that');

/** Two negative words that cancel each other. */
const denied = /\b(dont|do not|never) (stop|refuse|reject|deny|decline|disapprove)\b/;

export function yesOrNo(words: readonly string[]): boolean | undefined {
  if (denied.test(words.join(' '))) return undefined;
  let rest = words;
  const said = new Set<boolean>();
  while (rest.length > 0) {
    const [length, meaning] = longest(rest);
    if (length === 0) return undefined;
    if (meaning !== undefined) said.add(meaning);
    rest = rest.slice(length);
  }
  return said.size === 1 ? said.has(true) : undefined;
}

/** The longest phrase at the start of the words, and its meaning. */
function longest(words: readonly string[]): [length: number, meaning: boolean | undefined] {
  const found = [no, yes, polite].map((known): [number, boolean | undefined] => {
    const begun = known.filter((phrase) => phrase.every((word, at) => words[at] === word));
    return [Math.max(0, ...begun.map(({ length }) => length)), known === polite ? undefined : known === yes];
  });
  return found.reduce((best, one) => (one[0] > best[0] ? one : best));
}

/** Which of a list a text means by its place: "the second one", "2", "#2", "the last". */

const ordinalWords = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const cardinalWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** What people say around it. With any other word in the text, "first" may mean anything ("first, tell me more"). */
const around = new Set(
  `the one ones option options choice number no nr please thanks thank you ok okay yes sure i id ill would like want
  will take choose pick select prefer go going with for lets let us we give me my answer is its it that this and`.split(
    /\s+/,
  ),
);

export const saysNothing = (word: string): boolean => around.has(word);

/** The places, counted from 0, each once; none where the text says anything else, or names a place that is not there. */
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

import { describe, expect, it } from 'vitest';
import { sessionWords, english as visitorsEnglish } from '../session/session-words.ts';
import { englishAlways } from './always-words.ts';
import { englishAssured } from './assured-words.ts';
import { englishDanger } from './danger-words.ts';
import { english } from './en.ts';
import { languageOf, loadStrings } from './languages.ts';
import type { Strings } from './strings.ts';

const languages = ['ar', 'de', 'es', 'fr', 'ja', 'zh'];
const all: unknown[] = [english, ...(await Promise.all(languages.map(loadStrings)))];
/** A number that no language writes as a word. */
const sample = { number: 37, text: 'a name' };

/** Every text with its path in the file. Calls a function with sample arguments. */
function said(words: object, at = ''): [string, unknown, unknown[]][] {
  return Object.entries(words).flatMap(([key, word]): [string, unknown, unknown[]][] => {
    if (typeof word === 'object') return said(word, `${at}${key}.`);
    if (typeof word !== 'function') return [[at + key, word, []]];
    const given = argumentsOf[key] ?? Array.from({ length: countOf(at + key) }, () => sample.number);
    return [[at + key, word(...given), given]];
  });
}

/** The number of arguments in the language with the most, because a language must use every argument. */
const countOf = (place: string): number =>
  Math.max(
    ...all.map((words) => (place.split('.').reduce(inner, words) as { length?: number } | undefined)?.length ?? 0),
  );
const inner = (words: unknown, key: string): unknown => (words as Record<string, unknown> | undefined)?.[key];

const argumentsOf: Record<string, unknown[]> = {
  ...Object.fromEntries(
    ['remove', 'uploadFailed', 'newRequest', 'closedElsewhere', 'select', 'add'].map((key) => [key, [sample.text]]),
  ),
  uploading: [sample.text, sample.number],
  chose: [sample.text, sample.text],
  about: [sample.text, 'does not fit'],
  ...Object.fromEntries(['tool', 'fixed', 'variable', 'until', 'confirm', 'yes'].map((key) => [key, [sample.text]])),
};

const keysOf = (words: object) => said(words).map(([key]) => key);
/** Leaves out the texts that English has in other files. */
const sharedWords = ({ problems: _problems, always: _always, assured: _assured, danger: _danger, ...rest }: Strings) =>
  rest;

it('[WI30] English needs no fetch, and replaces a language without a translation', async () => {
  expect(languageOf('pt-BR')).toBe('en');
  expect(languageOf('constructor')).toBe('en');
  expect(await loadStrings('pt')).toBe(english);
  expect(keysOf(english)).toContain('thereIsAProblem');
});

describe.each(languages)('[WI30] %s', (language) => {
  it('is chosen for all its regions', () => {
    expect(languageOf(language)).toBe(language);
    expect(languageOf(`${language.toUpperCase()}-XX`)).toBe(language);
  });

  it('has every text that English has', async () => {
    const strings = await loadStrings(language);
    expect(keysOf(sharedWords(strings)).sort()).toEqual(keysOf(english).sort());
    expect(keysOf(strings.always ?? {}).sort()).toEqual(keysOf(englishAlways).sort());
    expect(keysOf(strings.assured ?? {}).sort()).toEqual(keysOf(englishAssured).sort());
    expect(keysOf(strings.danger ?? {}).sort()).toEqual(keysOf(englishDanger).sort());
    const german = (await loadStrings('de')).problems ?? {};
    expect(keysOf(strings.problems ?? {}).sort()).toEqual(keysOf(german).sort());
  });

  it('has texts that are not empty and contain their arguments', async () => {
    for (const [key, text, given] of said(await loadStrings(language))) {
      expect(text, key).toEqual(expect.stringMatching(/\S/));
      expect(text, key).not.toMatch(/undefined|NaN|\[object/);
      for (const one of given) expect(text, key).toContain(String(one));
    }
  });

  it('has the texts for visitors', () => {
    expect(keysOf(sessionWords[language] ?? {})).toEqual(keysOf(visitorsEnglish));
  });

  it('is not English', async () => {
    const ours = new Map(said(english).map(([key, text]) => [key, text]));
    const same = said(await loadStrings(language)).filter(([key, text]) => ours.get(key) === text);
    // Some texts are the same in both, such as "No" and "Agent".
    expect(same.length).toBeLessThan(6);
  });
});

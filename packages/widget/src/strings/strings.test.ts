import { describe, expect, it } from 'vitest';
import { sessionWords, english as visitorsEnglish } from '../session/session-words.ts';
import { englishAlways } from './always-words.ts';
import { english } from './en.ts';
import { languageOf, loadStrings } from './languages.ts';
import type { Strings } from './strings.ts';

const languages = ['ar', 'de', 'es', 'fr', 'ja', 'zh'];
const all: unknown[] = [english, ...(await Promise.all(languages.map(loadStrings)))];
/** A number that no language says in words, as it may say one. */
const given = { number: 37, text: 'a name' };

/** Every word with its place in the file; what takes arguments is called with them. */
function said(words: object, at = ''): [string, unknown, unknown[]][] {
  return Object.entries(words).flatMap(([key, word]): [string, unknown, unknown[]][] => {
    if (typeof word === 'object') return said(word, `${at}${key}.`);
    if (typeof word !== 'function') return [[at + key, word, []]];
    const told = argumentsOf[key] ?? Array.from({ length: countOf(at + key) }, () => given.number);
    return [[at + key, word(...told), told]];
  });
}

/** As many as the language takes that takes the most: one that leaves an argument out has forgotten it. */
const countOf = (place: string): number =>
  Math.max(
    ...all.map((words) => (place.split('.').reduce(inner, words) as { length?: number } | undefined)?.length ?? 0),
  );
const inner = (words: unknown, key: string): unknown => (words as Record<string, unknown> | undefined)?.[key];

const argumentsOf: Record<string, unknown[]> = {
  ...Object.fromEntries(
    ['remove', 'uploadFailed', 'newRequest', 'closedElsewhere', 'select', 'add'].map((key) => [key, [given.text]]),
  ),
  uploading: [given.text, given.number],
  chose: [given.text, given.text],
  about: [given.text, 'does not fit'],
  ...Object.fromEntries(['tool', 'fixed', 'variable', 'until'].map((key) => [key, [given.text]])),
};

const keysOf = (words: object) => said(words).map(([key]) => key);
/** Leaves out the words that English has elsewhere. */
const sharedWords = ({ problems: _problems, always: _always, ...rest }: Strings) => rest;

it('[WI30] English is there at once, and a language that is not written is English', async () => {
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

  it('says everything that English says', async () => {
    const strings = await loadStrings(language);
    expect(keysOf(sharedWords(strings)).sort()).toEqual(keysOf(english).sort());
    expect(keysOf(strings.always ?? {}).sort()).toEqual(keysOf(englishAlways).sort());
    const german = (await loadStrings('de')).problems ?? {};
    expect(keysOf(strings.problems ?? {}).sort()).toEqual(keysOf(german).sort());
  });

  it('says it in words, with what they are about', async () => {
    for (const [key, text, told] of said(await loadStrings(language))) {
      expect(text, key).toEqual(expect.stringMatching(/\S/));
      expect(text, key).not.toMatch(/undefined|NaN|\[object/);
      for (const one of told) expect(text, key).toContain(String(one));
    }
  });

  it('has what only visitors are told', () => {
    expect(keysOf(sessionWords[language] ?? {})).toEqual(keysOf(visitorsEnglish));
  });

  it('is not English', async () => {
    const ours = new Map(said(english).map(([key, text]) => [key, text]));
    const same = said(await loadStrings(language)).filter(([key, text]) => ours.get(key) === text);
    // Some words are the same in both, such as "No" and "Agent".
    expect(same.length).toBeLessThan(6);
  });
});

/** The texts of the widget, as each language has them. */
import type { ComponentChild } from 'preact';
import type { englishAlways } from './always-words.ts';
import type { englishAssured } from './assured-words.ts';
import type { englishDanger } from './danger-words.ts';
import type { english } from './en.ts';

export type Strings = typeof english & {
  /** The descriptions of problems. A language without them uses the server's English. */
  problems?: ProblemWords;
  /** Missing in English, because the card has the English words. */
  always?: typeof englishAlways;
  assured?: typeof englishAssured;
  danger?: typeof englishDanger;
};

type Sentence = 'fillIn' | 'chooseOne' | 'yesOrNo' | 'attach' | 'sign' | 'text' | 'number' | 'wholeNumber';
type OfCount = 'atLeast' | 'atMost' | 'minLength' | 'maxLength' | 'rateUpTo' | 'minSelections' | 'maxSelections';
type OfExample = 'email' | 'tel' | 'date' | 'time' | 'datetime';

/** Sentences about a field, to put after its label. */
export type ProblemWords = Record<Sentence | 'url' | 'onlyOnce', string> &
  Record<OfCount | 'maxFiles', (count: number) => string> &
  Record<OfExample, (example: string) => string> & {
    /** Puts the label before the sentence, with the punctuation of the language. */
    about(label: string, sentence: string): string;
    /** Without `from` the steps begin at zero. */
    steps(step: number, from: number | undefined): string;
    notBefore(min: string): string;
    notAfter(max: string): string;
    pattern(pattern: string): string;
    /** The options, or the first of them. */
    oneOf(options: string): string;
    accept(types: string): string;
    maxSize(megabytes: number): string;
    /** A whole sentence: all values together are too large. */
    tooMuch: string;
  };

/** Puts elements into a sentence, in the order that the language needs. */
export const filled = (sentence: (...places: string[]) => string, ...elements: ComponentChild[]): ComponentChild[] =>
  sentence(...elements.map((_, index) => `\0${index}\0`))
    .split('\0')
    .map((part, index) => (index % 2 === 0 ? part : elements[Number(part)]));

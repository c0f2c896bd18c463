/** The languages of the widget. English is in the bundle, the others are fetched when needed. */
import { english } from './en.ts';
import type { Strings } from './strings.ts';

/** The translations. */
const others: Record<string, () => Promise<{ strings: Strings }>> = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ja: () => import('./ja.ts'),
  zh: () => import('./zh.ts'),
};

export const rightToLeft = new Set(['ar']);

/** The language of a locale such as `de-AT`, or English if there is no translation. */
export const languageOf = (locale: string): string => {
  const language = locale.toLowerCase().split('-')[0] ?? '';
  return Object.hasOwn(others, language) ? language : 'en';
};

export const loadStrings = async (language: string): Promise<Strings> =>
  (await others[language]?.())?.strings ?? english;

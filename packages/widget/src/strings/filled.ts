import type { ComponentChild } from 'preact';

/** Fills the places of a sentence with elements, in whatever order a language has them. */
export const filled = (sentence: (...places: string[]) => string, ...elements: ComponentChild[]): ComponentChild[] =>
  sentence(...elements.map((_, index) => `\0${index}\0`))
    .split('\0')
    .map((part, index) => (index % 2 === 0 ? part : elements[Number(part)]));

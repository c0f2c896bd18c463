/** Problems as one sentence after the other, for who reads no list; all of them are in the list. */
import type { Problem } from './problem.ts';

/** So many are told. */
const told = 5;

/** `nameOf` says what a place is called; what has no name stands without one. */
export function sentenceOf(problems: readonly Problem[], nameOf: (problem: Problem) => string = pointed): string {
  const sentences = problems.slice(0, told).map((problem) => {
    const name = nameOf(problem);
    return name === '' ? problem.message : `${name}: ${problem.message}`;
  });
  const more = problems.length > told ? [`And ${problems.length - told} more.`] : [];
  return [...sentences, ...more].join(' ');
}

const pointed = ({ pointer }: Problem): string => pointer.slice(0, 200) || '/';

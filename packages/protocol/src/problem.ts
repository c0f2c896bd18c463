import { answerLimits } from './answer-limits.ts';

/** One thing wrong with what was sent: where (RFC 6901 JSON pointer), what (a slug), and a sentence to act on. */
export interface Problem {
  pointer: string;
  code: string;
  message: string;
}

/**
 * Bounds every list of problems, so that a hostile body cannot make a huge one. `hasMore` says that the caller did not
 * collect all problems.
 */
export const boundProblems = (
  problems: readonly Problem[],
  hasMore = problems.length > answerLimits.problems,
): Problem[] =>
  !hasMore
    ? [...problems]
    : [
        ...problems.slice(0, answerLimits.problems - 1),
        { pointer: '', code: 'more', message: 'There are more problems than these.' },
      ];

/** Extends a JSON pointer by one or more reference tokens, escaping `~` and `/`. */
export function pointer(base: string, ...tokens: (string | number)[]): string {
  let result = base;
  for (const token of tokens) result += `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return result;
}

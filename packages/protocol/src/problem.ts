import { answerLimits } from './answer-limits.ts';

/** One problem of a request: its pointer (RFC 6901), its code (a slug), and a message that says what to do. */
export interface Problem {
  pointer: string;
  code: string;
  message: string;
}

export const problem = (pointer: string, code: string, message: string): Problem => ({ pointer, code, message });

/** The names of a field, for the person and for programs. */
export interface NamedField {
  name: string;
  label?: string;
}

/** A problem of the value of a field. The sentence begins with the label that the person sees. */
export const fieldProblem = (field: NamedField, at: string, code: string, sentence: string): Problem =>
  problem(at, code, `${field.label ?? field.name}: ${sentence}`);

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
    : [...problems.slice(0, answerLimits.problems - 1), problem('', 'more', 'There are more problems than these.')];

/** The names and indexes of a pointer. */
export const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Extends a JSON pointer by one or more reference tokens, escaping `~` and `/`. */
export function pointer(base: string, ...tokens: (string | number)[]): string {
  let result = base;
  for (const token of tokens) result += `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return result;
}

/** The last name in a JSON pointer. */
export const lastName = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');

/** The most problems in one sentence. */
const mostSentences = 5;

/** Joins problems to one text, for readers without a list. `nameOf` names the place of a problem; it may be empty. */
export function sentenceOf(problems: readonly Problem[], nameOf: (problem: Problem) => string = pointed): string {
  const sentences = problems.slice(0, mostSentences).map((each) => {
    const name = nameOf(each);
    return name === '' ? each.message : `${name}: ${each.message}`;
  });
  const more = problems.length - mostSentences;
  return [...sentences, ...(more > 0 ? [`And ${more} more.`] : [])].join(' ');
}

const pointed = (problem: Problem): string => problem.pointer.slice(0, 200) || '/';

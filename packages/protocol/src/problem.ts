/** One thing wrong with what was sent: where (RFC 6901 JSON pointer), what (a slug), and a sentence to act on. */
export interface Problem {
  pointer: string;
  code: string;
  message: string;
}

/** Extends a JSON pointer by one or more reference tokens, escaping `~` and `/`. */
export function pointer(base: string, ...tokens: (string | number)[]): string {
  let result = base;
  for (const token of tokens) result += `/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return result;
}

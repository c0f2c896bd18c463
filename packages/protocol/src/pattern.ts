/** Matches `pattern` in time linear in the text (RE2); the one file that knows re2js. */
import { RE2JS } from 're2js';
import { limits } from './limits.ts';

/** Says whether the text contains a match of the pattern, as in JSON Schema: not anchored. */
export type PatternMatcher = (pattern: string, text: string) => boolean;

/** More than one payloadSchema may hold, or checking it would compile each pattern for every property name. */
const cacheSize = 4 * limits.payloadSchemaPatterns;
const cache = new Map<string, RE2JS | Error>();

function compile(pattern: string): RE2JS | Error {
  const known = cache.get(pattern);
  if (known) return known;
  let compiled: RE2JS | Error;
  try {
    compiled = RE2JS.compile(pattern);
    if (compiled.programSize() > limits.patternInstructions) compiled = new Error('it is too complex');
  } catch (error) {
    compiled = error instanceof Error ? error : new Error(String(error));
  }
  if (cache.size >= cacheSize) {
    const [oldest] = cache.keys();
    if (oldest !== undefined) cache.delete(oldest);
  }
  cache.set(pattern, compiled);
  return compiled;
}

/** Why RE2 cannot express the pattern, or undefined when it can. */
export function patternFault(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return compiled instanceof Error ? compiled.message.replace(/^error parsing regexp: /, '') : undefined;
}

/** How many RE2 instructions the pattern has, which is what matching costs for each character. */
export function patternSize(pattern: string): number {
  const compiled = compile(pattern);
  return compiled instanceof Error ? 0 : compiled.programSize();
}

/** A pattern that does not compile matches nothing. */
export const matchesPattern: PatternMatcher = (pattern, text) => {
  const compiled = compile(pattern);
  return !(compiled instanceof Error) && compiled.test(text);
};

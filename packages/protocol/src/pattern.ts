/** Matches `pattern` in time linear in the text (RE2); the one file that knows re2js. */
import { RE2JS } from 're2js';
import { limits } from './limits.ts';
import { patternCost } from './pattern-cost.ts';

/** Says whether the text contains a match of the pattern, as in JSON Schema: not anchored. */
export type PatternMatcher = (pattern: string, text: string) => boolean;

/** More than one payloadSchema may hold, or checking it would compile each pattern for every property name. */
const cacheSize = 4 * limits.payloadSchemaPatterns;
const cache = new Map<string, RE2JS | Error>();

function compile(pattern: string): RE2JS | Error {
  const known = cache.get(pattern);
  if (known) return known;
  const compiled = compileNew(pattern);
  if (cache.size >= cacheSize) {
    const [oldest] = cache.keys();
    if (oldest !== undefined) cache.delete(oldest);
  }
  cache.set(pattern, compiled);
  return compiled;
}

function compileNew(pattern: string): RE2JS | Error {
  const { instructions, unicodeClasses } = patternCost(pattern);
  // Twice, because it is an estimate; the program itself is measured below.
  const isCostly = instructions > 2 * limits.patternInstructions || unicodeClasses > limits.patternUnicodeClasses;
  if (isCostly) return new Error('it is too complex');
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > limits.patternInstructions ? new Error('it is too complex') : compiled;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
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

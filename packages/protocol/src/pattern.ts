/** Matches `pattern` in time linear in the text (RE2); the one file that knows re2js. */
import { RE2JS } from 're2js';
import { limits } from './limits.ts';

/** Reports whether the text contains a match of the pattern. Not anchored, as in JSON Schema. */
export type PatternMatcher = (pattern: string, text: string) => boolean;

/** More than the patterns of one payloadSchema. Otherwise its check would compile each pattern for every property name. */
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
  // Twice the limit, because it is an estimate. The program itself is measured below.
  const isCostly = instructions > 2 * limits.patternInstructions || unicodeClasses > limits.patternUnicodeClasses;
  if (isCostly) return new Error('it is too complex');
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > limits.patternInstructions ? new Error('it is too complex') : compiled;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Returns the reason why RE2 cannot express the pattern, or undefined if it can. */
export function patternFault(pattern: string): string | undefined {
  const compiled = compile(pattern);
  return compiled instanceof Error ? compiled.message.replace(/^error parsing regexp: /, '') : undefined;
}

/** The number of RE2 instructions of the pattern, which is the cost of matching each character. */
export function patternSize(pattern: string): number {
  const compiled = compile(pattern);
  return compiled instanceof Error ? 0 : compiled.programSize();
}

/** A pattern that does not compile matches nothing. */
export const matchesPattern: PatternMatcher = (pattern, text) => {
  const compiled = compile(pattern);
  return !(compiled instanceof Error) && compiled.test(text);
};

/**
 * Estimates the cost of a pattern before it is compiled. RE2 copies counted repeats, so the 800 characters of
 * ((a{10}){10}){9}… fifty times make 54,902 instructions in 270 ms, and each Unicode class takes about 0.2 ms.
 */
export function patternCost(pattern: string): { instructions: number; unicodeClasses: number } {
  const unicodeClasses = pattern.match(/\\[pP]/g)?.length ?? 0;
  const outer: number[] = [];
  let instructions = 0;
  let last = 0;
  const add = (size: number) => {
    instructions += size;
    last = size;
  };
  for (let i = 0; i < pattern.length; i++) {
    const rest = pattern.slice(i, i + 12);
    const [repeat, least, most] = /^\{(\d+)(?:,(\d*))?\}/.exec(rest) ?? [];
    if (repeat) {
      const copies = Math.max(Number(least), Number(most ?? 0), 1);
      instructions += last * (copies - 1);
      last *= copies;
      i += repeat.length - 1;
    } else if (rest.startsWith('\\')) {
      i += /^\\[pP]\{/.test(rest) ? Math.max(1, pattern.indexOf('}', i) - i) : 1;
      add(1);
    } else if (rest.startsWith('[')) {
      i = classEnd(pattern, i);
      add(1);
    } else if (rest.startsWith('(')) {
      outer.push(instructions);
      instructions = 0;
    } else if (rest.startsWith(')')) {
      const inside = instructions + 2;
      instructions = outer.pop() ?? 0;
      add(inside);
    } else {
      const isOperator = /^[*+?|^$]/.test(rest);
      instructions += 1;
      if (!isOperator) last = 1;
    }
  }
  return { instructions: outer.reduce((sum, size) => sum + size, instructions), unicodeClasses };
}

/** Returns the end of the class that begins here. Its first ] is a literal. */
function classEnd(pattern: string, start: number): number {
  let i = start + 1;
  if (pattern[i] === '^') i++;
  if (pattern[i] === ']') i++;
  while (i < pattern.length && pattern[i] !== ']') {
    const posix = pattern.startsWith('[:', i) ? pattern.indexOf(':]', i) : -1;
    i = posix > 0 ? posix + 2 : i + (pattern[i] === '\\' ? 2 : 1);
  }
  return i;
}

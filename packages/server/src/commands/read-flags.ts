/** Reads flags, durations, NAME=VALUE pairs and files. Rejects unknown flags. */
import { readFileSync } from 'node:fs';
import type { ParseArgsConfig } from 'node:util';
import { ConfigError } from '../config.ts';
import { parsedArgs } from '../start-flags.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

export const readFlags = <const O extends Options>(args: readonly string[], options: O) =>
  parsedArgs({ args: [...args], options, strict: true, allowPositionals: true });

export type FlagValues<O extends Options> = ReturnType<typeof readFlags<O>>['values'];

/** Rejects positional arguments beyond a number. */
export function atMost(count: number, words: readonly string[]): void {
  const tooMany = words[count];
  if (tooMany !== undefined)
    throw new ConfigError(`"${tooMany}" is an unexpected argument; put text with spaces in quotes`);
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** 90s, 10m, 2h, 1d. */
export function durationMs(name: string, text: string): number {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return Number(count) * units[unit as keyof typeof units];
  throw new ConfigError(`${name} takes a time like 90s, 10m, 2h or 1d, not "${text}"`);
}

export interface Pair {
  name: string;
  text: string;
  isJson: boolean;
}

/** Messages never repeat a value, because it may be a secret and end up in logs. */
export function readPair(flag: string, given: string): Pair {
  const [, name, colon, text] = /^([^=]+?)(:)?=(.*)$/s.exec(given) ?? [];
  if (name === undefined || text === undefined)
    throw new ConfigError(`${flag} takes NAME=VALUE, and one that was given has no "=" after a name`);
  return { name, text, isJson: colon !== undefined };
}

export const readPairs = (flag: string, given: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    given.map((each) => {
      const { name, text, isJson } = readPair(flag, each);
      return [name, isJson ? readJson(flag, name, text) : text];
    }),
  );

export function readJson(flag: string, name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(`${flag} ${name}:= takes JSON, and what was given is none`);
  }
}

/** Reads the file of a flag, or standard input for -, without the final line break that editors add. */
export function readTextFile(path: string, flag: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new ConfigError(`${flag} ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

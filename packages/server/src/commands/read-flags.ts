/** Flags, read strictly: what is not known is a mistake of the caller, told in one line. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../config.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

export function readFlags<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    // Node adds advice in further sentences, some of them on lines of their own.
    throw new ConfigError((error as Error).message.split(/\.\s/)[0] ?? 'bad flags');
  }
}

/** At most so many words that are no flags. */
export function atMost(count: number, words: readonly string[]): void {
  const tooMany = words[count];
  if (tooMany !== undefined) throw new ConfigError(`"${tooMany}" is one word too many; quote a text with spaces`);
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** 90s, 10m, 2h, 1d. */
export function durationMs(name: string, text: string): number {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return Number(count) * units[unit as keyof typeof units];
  throw new ConfigError(`${name} takes a time like 90s, 10m, 2h or 1d, not "${text}"`);
}

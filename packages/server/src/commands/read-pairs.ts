/** NAME=VALUE is a text, NAME:=JSON anything else: a number, a list, true. */
import { ConfigError } from '../config.ts';

export interface Pair {
  name: string;
  text: string;
  isJson: boolean;
}

/** No message repeats a value: it may be a secret, and what goes wrong stands in logs. */
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

/** The actions of a command, such as the `invite` of `holdpoint people invite`. */
import type { HoldpointService } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import type { Shell } from './command.ts';
import { failure, readConnection } from './connection.ts';
import { atMost } from './read-flags.ts';

export interface Action<Flags> {
  /** The names of its arguments. The last may be repeated if it ends with `…`. */
  takes: readonly string[];
  /** Checks the flags before the server is called. */
  check?(flags: Flags): void;
  run(service: HoldpointService, words: readonly string[], flags: Flags, shell: Shell): Promise<void>;
}

interface Given<Flags> {
  /** The name of the command. */
  name: string;
  actions: Readonly<Record<string, Action<Flags>>>;
  flags: Flags;
  /** The action and its arguments. Without any, the action is `list`. */
  words: readonly string[];
  shell: Shell;
}

interface ConnectionFlags {
  url?: string | undefined;
  'key-file'?: string | undefined;
}

/** Runs one action against the server. Returns the exit code. */
export async function runAction<Flags extends ConnectionFlags>(given: Given<Flags>): Promise<number> {
  const { name, actions, flags, shell } = given;
  const [verb = 'list', ...words] = given.words;
  const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined;
  if (!action) throw new ConfigError(`${name} takes ${listed(Object.keys(actions))}, not "${verb}"`);
  const { takes } = action;
  if (words.length < takes.length)
    throw new ConfigError(`${name} ${verb} takes ${takes.join(' ')}: holdpoint ${name} ${verb} ${takes.join(' ')}`);
  if (!takes.at(-1)?.endsWith('…')) atMost(takes.length, words);
  action.check?.(flags);
  const { service, url } = readConnection(flags, shell);
  try {
    await action.run(service, words, flags, shell);
    return 0;
  } catch (error) {
    throw failure(error, url);
  }
}

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

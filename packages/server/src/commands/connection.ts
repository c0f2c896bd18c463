/** Which server a command talks to, and with which key. A key never stands in the list of processes. */
import { httpService } from '@holdpoint/client';
import type { HoldpointService } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import type { Shell } from './command.ts';
import { readTextFile } from './read-text-file.ts';

export const connectionOptions = { url: { type: 'string' }, 'key-file': { type: 'string' } } as const;

export const connectionHelp = `  --url URL                 of the server (http://127.0.0.1:7400)
  --key-file FILE           a file with the key in it; - reads it from standard input

environment
  HOLDPOINT_URL             as --url
  HOLDPOINT_API_KEY         the key; there is no flag for it, so that it is in no list of processes`;

export interface Connection {
  url: string;
  key: string;
  service: HoldpointService;
}

interface Flags {
  url?: string | undefined;
  'key-file'?: string | undefined;
}

export function readConnection(flags: Flags, { env }: Pick<Shell, 'env'>): Connection {
  const url = readUrl(flags, env);
  const key = readKey(flags, env);
  if (key === undefined)
    throw new ConfigError('give a key: set HOLDPOINT_API_KEY, or name a file that holds it with --key-file');
  return { url, key, service: httpService({ url, key, retryForMs: 0 }) };
}

export function readUrl({ url: given }: Flags, env: Shell['env']): string {
  const url = given ?? (env.HOLDPOINT_URL || 'http://127.0.0.1:7400');
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
    throw new ConfigError('--url takes an address like https://holdpoint.example.com');
  return url.replace(/\/+$/, '');
}

export function readKey({ 'key-file': file }: Flags, env: Shell['env']): string | undefined {
  const key = file === undefined ? env.HOLDPOINT_API_KEY || undefined : keyIn(file);
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new ConfigError('a key is printable characters without spaces; this one is something else');
  return key;
}

function keyIn(file: string): string {
  try {
    return readTextFile(file).trim();
  } catch (error) {
    throw new ConfigError(`--key-file ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

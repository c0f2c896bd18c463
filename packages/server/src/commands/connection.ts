/** Connects a command to a server: its URL, the key, and error messages that name a remedy. */
import { httpService } from '@holdpoint/client';
import { HoldpointError, type HoldpointService } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import type { Shell } from './command.ts';
import { readTextFile } from './read-flags.ts';
import { oneLine } from './terminal-text.ts';

/** There is no flag for the key, because every user of the machine can read the list of processes. */
export const connectionOptions = { url: { type: 'string' }, 'key-file': { type: 'string' } } as const;

export const connectionHelp = `  --url URL                 URL of the server (http://127.0.0.1:7400)
  --key-file FILE           file that contains the API key; - reads standard input

environment
  HOLDPOINT_URL             like --url
  HOLDPOINT_API_KEY         API key; no flag, because other users can read the list of processes
  HOLDPOINT_AGENT_KEY       API key if HOLDPOINT_API_KEY is not set`;

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
    throw new ConfigError('no API key: set HOLDPOINT_API_KEY, or name a file that contains it with --key-file');
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
  const key =
    file === undefined
      ? env.HOLDPOINT_API_KEY || env.HOLDPOINT_AGENT_KEY || undefined
      : readTextFile(file, '--key-file').trim();
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new ConfigError('the API key must be printable characters without spaces');
  return key;
}

/** An error whose message is written for the user. */
class Failure extends Error {
  override name = 'Failure';
}

/** Converts an error of a call for the user. Usage errors stay as they are. */
export const failure = (error: unknown, url: string): Error =>
  error instanceof ConfigError ? error : new Failure(explainFailure(error, url), { cause: error });

function explainFailure(error: unknown, url: string): string {
  if (!(error instanceof HoldpointError)) return error instanceof Error ? error.message : String(error);
  const { detail, problems = [] } = error.fault;
  const listed = problems.map(({ pointer, message }) => `  ${oneLine(`${pointer || 'the request'}: ${message}`)}`);
  const what = oneLine(hintOf(error, url) ?? detail);
  return [what, ...listed].join('\n');
}

const reused = 'This idempotency key belongs to a different request. Repeat that request exactly, or use another key.';

function hintOf({ code, fault: { detail }, cause }: HoldpointError, url: string): string | undefined {
  if (code === 'unauthenticated')
    return `${detail} Check HOLDPOINT_API_KEY for the server at ${url}, or create a key with "holdpoint keys create".`;
  if (code === 'idempotency-key-reused') return reused;
  if (code === 'wrong-responder') return `${detail} With an admin key, --as NAME answers as another person.`;
  if (code === 'forbidden' && / needs admin( or (member|auditor))* rights/.test(detail))
    return `${detail} Set HOLDPOINT_API_KEY to an admin key.`;
  if (!isRefused(cause)) return undefined;
  const { hostname, port } = new URL(url);
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  const start = `holdpoint serve${port === '' || port === '7400' ? '' : ` --port ${port}`}`;
  return `no server answers at ${url}. ${isHere ? `Start it with "${start}", or set` : 'Set'} its URL with --url or HOLDPOINT_URL.`;
}

/** True if the connection was refused or the host is unknown or unreachable. fetch wraps these errors. */
function isRefused(cause: unknown): boolean {
  for (let inner = cause; inner instanceof Error; inner = inner.cause) {
    const { code } = inner as NodeJS.ErrnoException;
    if (code !== undefined && /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code)) return true;
    if (inner instanceof AggregateError && inner.errors.some(isRefused)) return true;
  }
  return false;
}

/** Flags and environment, checked before anything starts. */

import { parseArgs } from 'node:util';
import { defined } from '@holdpoint/protocol';
import { isResponderToken } from './signing/responder-tokens.ts';

export interface Config {
  host: string;
  port: number;
  /** Where the embedded store keeps everything; unused with a database. */
  dataFolder: string;
  /** A PostgreSQL database that many nodes may share. */
  databaseUrl?: string;
  /** Where people reach the server, if not at the address it listens on: an origin. */
  publicUrl?: string;
  adminKey?: string;
  logLevel: string;
  corsOrigins: string[];
  /** Calls per second of one API key; absent: no limit. */
  keyRateLimit?: number;
  /** Calls per second of one responder; absent: no limit. */
  responderRateLimit?: number;
  /** Sessions per minute that one address opens with one public key; absent: no limit. */
  sessionRateLimit?: number;
  bodyLimitBytes: number;
  /** Whether webhooks may lead to this machine and its network. */
  allowPrivateWebhooks: boolean;
  /** Files that export agents to run in this process. */
  agentFiles?: string[];
  /** false: nobody is offered the demo. */
  hasDemo?: boolean;
  /** The model behind the agent `assistant`; absent: there is none. */
  assistant?: ModelConfig;
}

/** An endpoint that speaks the protocol of OpenAI. */
export interface ModelConfig {
  url: string;
  model: string;
  key?: string;
}

/** Something the person who starts the server must mend: one line, exit code 2. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Where nothing else is configured. */
export const defaultLimits = {
  rateLimits: { perResponder: 20, sessionsPerMinute: 10 },
  bodyLimitBytes: 1_048_576,
};

const options = {
  port: { type: 'string' },
  host: { type: 'string' },
  'public-url': { type: 'string' },
  data: { type: 'string' },
  'database-url': { type: 'string' },
  'log-level': { type: 'string' },
  'cors-origin': { type: 'string', multiple: true },
  'rate-limit': { type: 'string' },
  'responder-rate-limit': { type: 'string' },
  'session-rate-limit': { type: 'string' },
  'max-body-kb': { type: 'string' },
  'allow-private-webhooks': { type: 'boolean' },
  agent: { type: 'string', multiple: true },
  assistant: { type: 'boolean' },
  'no-demo': { type: 'boolean' },
} as const;

export const serveHelp = `  --port N                  where to listen (7400; 0 picks a free port)
  --host ADDRESS            on which address (127.0.0.1)
  --public-url URL          where people reach it, for the links it makes: https://holdpoint.example.com
  --data FOLDER             where everything is kept (./data)
  --database-url URL        keep it in PostgreSQL instead, to run many nodes: postgres://user:password@host/database
  --cors-origin ORIGIN      a web origin that may call the API; may be repeated
  --rate-limit N            calls per second of one API key (off)
  --responder-rate-limit N  calls per second of one person's token (20; 0 is off)
  --session-rate-limit N    sessions per minute of one address with one public key (10; 0 is off)
  --max-body-kb N           the largest body taken (1024)
  --allow-private-webhooks  let webhooks lead to this machine and its network, for development
  --agent FILE              run the agents that a JavaScript or TypeScript file exports; may be repeated
  --assistant               answer in the threads whose agent is assistant, by the model that the environment names
  --no-demo                 do not offer the demo, which begins when somebody opens it
  --log-level LEVEL         ${logLevels.join(', ')} (warn)

environment
  HOLDPOINT_API_KEY         the admin key; without it the first start makes one and prints it once
  DATABASE_URL              as --database-url, and hidden from the list of processes
  HOLDPOINT_MODEL_URL       for --assistant: an endpoint of the OpenAI protocol, such as http://127.0.0.1:11434/v1
  HOLDPOINT_MODEL           for --assistant: the name of the model there
  HOLDPOINT_MODEL_KEY       for --assistant: its key, if it takes one`;

export function readConfig(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Config {
  const flags = readFlags(args);
  const { rateLimits, bodyLimitBytes } = defaultLimits;
  const { perResponder, sessionsPerMinute } = rateLimits;
  const logLevel = flags['log-level'] ?? 'warn';
  if (!logLevels.includes(logLevel)) throw new ConfigError(`--log-level is one of ${logLevels.join(', ')}`);
  const keyRateLimit = wholeNumber('--rate-limit', flags['rate-limit'] ?? '0', 0, 1_000_000);
  const responderRateLimit = wholeNumber(
    '--responder-rate-limit',
    flags['responder-rate-limit'] ?? String(perResponder),
    0,
    1_000_000,
  );
  const sessionRateLimit = wholeNumber(
    '--session-rate-limit',
    flags['session-rate-limit'] ?? String(sessionsPerMinute),
    0,
    1_000_000,
  );
  const adminKey = env.HOLDPOINT_API_KEY ? checkedAdminKey('HOLDPOINT_API_KEY', env.HOLDPOINT_API_KEY) : undefined;
  const databaseUrl = flags['database-url'] ?? (env.DATABASE_URL || undefined);
  return {
    host: filled('--host', flags.host ?? '127.0.0.1'),
    port: wholeNumber('--port', flags.port ?? '7400', 0, 65_535),
    ...defined({
      publicUrl: flags['public-url'] === undefined ? undefined : publicUrl('--public-url', flags['public-url']),
    }),
    dataFolder: filled('--data', flags.data ?? './data'),
    ...defined({
      databaseUrl: databaseUrl === undefined ? undefined : postgresUrl(databaseUrl),
      adminKey: adminKey || undefined,
    }),
    logLevel,
    corsOrigins: (flags['cors-origin'] ?? []).map(origin),
    ...defined({
      keyRateLimit: keyRateLimit > 0 ? keyRateLimit : undefined,
      responderRateLimit: responderRateLimit > 0 ? responderRateLimit : undefined,
      sessionRateLimit: sessionRateLimit > 0 ? sessionRateLimit : undefined,
    }),
    bodyLimitBytes:
      wholeNumber('--max-body-kb', flags['max-body-kb'] ?? String(bodyLimitBytes / 1024), 1, 102_400) * 1024,
    allowPrivateWebhooks: flags['allow-private-webhooks'] ?? false,
    ...defined({
      agentFiles: flags.agent?.map((file) => filled('--agent', file)),
      hasDemo: flags['no-demo'] ? false : undefined,
      assistant: flags.assistant ? modelConfig(env) : undefined,
    }),
  };
}

/** No message repeats the key, or an address that may hold one. */
function modelConfig(env: Readonly<Record<string, string | undefined>>): ModelConfig {
  const { HOLDPOINT_MODEL_URL: url, HOLDPOINT_MODEL: model, HOLDPOINT_MODEL_KEY: key } = env;
  if (!url || !model) {
    const missing = [url ? [] : 'HOLDPOINT_MODEL_URL', model ? [] : 'HOLDPOINT_MODEL'].flat().join(' and ');
    throw new ConfigError(`--assistant needs a model: set ${missing}`);
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
    throw new ConfigError('HOLDPOINT_MODEL_URL must be like https://models.example.com/v1');
  return { url: url.replace(/\/+$/, ''), model, ...defined({ key: key || undefined }) };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    // Node adds advice in further sentences, some of them on lines of their own.
    throw new ConfigError((error as Error).message.split(/\.\s/)[0] ?? 'bad flags');
  }
}

/** An empty host would listen on every address, an empty folder would be none. */
export function filled(name: string, text: string): string {
  if (text.trim() !== '') return text;
  throw new ConfigError(`${name} must not be empty`);
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new ConfigError(`${name} takes a whole number from ${min} to ${max}, not "${text}"`);
}

/** The message does not repeat the text, which may hold a password. */
export function postgresUrl(text: string): string {
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)) return text;
  throw new ConfigError('the database URL must be like postgres://user:password@host:5432/database');
}

/** The message does not repeat the key. */
export function checkedAdminKey(name: string, text: string): string {
  if (!/^[\x21-\x7e]{1,512}$/.test(text))
    throw new ConfigError(`${name} must be 1 to 512 printable characters without spaces`);
  if (isResponderToken(text)) throw new ConfigError(`${name} must not begin as the tokens of responders do`);
  return text;
}

/** Without a path: the pages are at the top of where they are served. */
export function publicUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text)) return url.origin;
  throw new ConfigError(`${name} takes an address like https://holdpoint.example.com, not "${text}"`);
}

function origin(text: string): string {
  try {
    const url = new URL(text);
    if (url.origin === text && /^https?:$/.test(url.protocol)) return text;
  } catch {}
  throw new ConfigError(`--cors-origin takes an origin like https://app.example.com, not "${text}"`);
}

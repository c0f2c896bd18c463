/**
 * The flags and environment variables of `holdpoint serve`. Parsing, `--help`, error messages and
 * docs/guides/start-flags.md come from this table. A test compares the page.
 */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { isResponderToken } from './signing/responder-tokens.ts';

/** A mistake of the user who starts a command: one line, exit code 2. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Read<T = unknown> = (name: string, text: string) => T;

interface StartFlag {
  /** The placeholder of the value. Absent for a switch. */
  value?: string;
  isRepeatable?: true;
  /** The value without the flag. */
  start?: string;
  /** An environment variable that the flag overrides. */
  env?: string;
  help: string;
  /** Validates and converts the value. */
  read?: Read;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

export const startFlags = {
  port: { value: 'N', start: '7400', read: wholeNumber(0, 65_535), help: 'port to listen on; 0 picks a free port' },
  host: { value: 'ADDRESS', start: '127.0.0.1', read: filled, help: 'address to listen on' },
  'public-url': {
    ...{ value: 'URL', read: publicUrl },
    help: 'URL at which people open the server, used in links',
  },
  data: { value: 'FOLDER', start: './data', read: filled, help: 'folder of all data; one process at a time uses it' },
  'database-url': {
    ...{ value: 'URL', env: 'DATABASE_URL', read: (_name: string, text: string) => postgresUrl(text) },
    help: 'PostgreSQL instead of the folder: postgres://user:password@host/database',
  },
  'oidc-file': {
    ...{ value: 'FILE', read: filled },
    help: 'JSON file with the identity providers with which people sign in',
  },
  'cors-origin': { value: 'ORIGIN', isRepeatable: true, read: origin, help: 'web origin that may call the API' },
  'rate-limit': { value: 'N', start: '0', read: limit, help: 'calls per second of one API key; 0 is off' },
  'responder-rate-limit': {
    ...{ value: 'N', start: '20', read: limit },
    help: "calls per second of one person's token; 0 is off",
  },
  'session-rate-limit': {
    ...{ value: 'N', start: '10', read: limit },
    help: 'sessions per minute from one address with one public key; 0 is off, as behind a proxy',
  },
  'max-body-kb': {
    value: 'N',
    start: '1024',
    read: wholeNumber(1, 102_400),
    help: 'size limit of a request body in KB',
  },
  'allow-private-webhooks': { help: 'allow webhooks to this machine and its network, for development' },
  agent: {
    ...{ value: 'FILE', isRepeatable: true, read: filled },
    help: 'run the agents that a JavaScript or TypeScript file exports',
  },
  assistant: { help: 'answer in threads of the agent assistant, with the model of HOLDPOINT_MODEL' },
  'no-demo': { help: 'turn off the demo, which uses no resources until somebody opens it' },
  'log-level': { value: 'LEVEL', start: 'warn', read: oneOf(logLevels), help: logLevels.join(', ') },
} as const satisfies Record<string, StartFlag>;

const variables = {
  HOLDPOINT_API_KEY: 'admin key; without it, the first start creates one and prints it once',
  DATABASE_URL: 'like --database-url, but hidden from the list of processes',
  HOLDPOINT_OIDC: 'the content of --oidc-file: a JSON array of identity providers',
  HOLDPOINT_MODEL_URL: 'for --assistant: endpoint of the OpenAI protocol, such as http://127.0.0.1:11434/v1',
  HOLDPOINT_MODEL: 'for --assistant: name of the model',
  HOLDPOINT_MODEL_KEY: 'for --assistant: key of the endpoint, if it needs one',
} as const;

type Flags = typeof startFlags;
type Value<F extends StartFlag> = F extends { read: Read<infer T> }
  ? F extends { isRepeatable: true }
    ? T[]
    : F extends { start: string }
      ? T
      : T | undefined
  : boolean;
type Values = { -readonly [Name in keyof Flags]: Value<Flags[Name]> };
export type Env = Readonly<Record<string, string | undefined>>;

const entries = Object.entries(startFlags) as [string, StartFlag][];

export function readStartFlags(args: readonly string[], env: Env): Values {
  const options = entries.map(([name, { value, isRepeatable }]) => {
    return [name, { type: value === undefined ? 'boolean' : 'string', multiple: isRepeatable === true }] as const;
  });
  const given: Record<string, unknown> = parsedArgs({ args: [...args], options: Object.fromEntries(options) }).values;
  return Object.fromEntries(
    entries.map(([name, { value, isRepeatable, start, env: variable, read = filled }]) => {
      const found = given[name] ?? ((variable && env[variable]) || start);
      if (value === undefined) return [name, found === true];
      if (isRepeatable) return [name, ((found ?? []) as string[]).map((each) => read(`--${name}`, each))];
      return [name, found === undefined ? undefined : read(`--${name}`, found as string)];
    }),
  ) as Values;
}

export function parsedArgs<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node appends further sentences with advice, some on new lines.
    throw new ConfigError((error as Error).message.split(/\.\s/)[0] ?? 'bad flags');
  }
}

const usageOf = ([name, { value }]: [string, StartFlag]): string => `--${name}${value ? ` ${value}` : ''}`;
const notesOf = ({ isRepeatable, start }: StartFlag): string =>
  `${isRepeatable ? '; may be repeated' : ''}${start === undefined ? '' : ` (${start === '0' ? 'off' : start})`}`;

export const serveHelp = `${entries.map((flag) => `  ${usageOf(flag).padEnd(24)}  ${flag[1].help}${notesOf(flag[1])}`).join('\n')}

environment
${Object.entries(variables)
  .map(([name, help]) => `  ${name.padEnd(24)}  ${help}`)
  .join('\n')}`;

/** The tables of docs/guides/start-flags.md. */
export const startFlagTables = `| flag | default | meaning |
| --- | --- | --- |
${entries
  .map((flag) => {
    const { value, start, help, isRepeatable } = flag[1];
    const without = value === undefined || start === '0' ? 'off' : (start ?? 'none');
    return `| \`${usageOf(flag)}\` | ${without} | ${help}${isRepeatable ? '; may be repeated' : ''} |`;
  })
  .join('\n')}

| environment variable | meaning |
| --- | --- |
${Object.entries(variables)
  .map(([name, help]) => `| \`${name}\` | ${help} |`)
  .join('\n')}
`;

/** An empty host would listen on every address, and an empty folder name is none. */
export function filled(name: string, text: string): string {
  if (text.trim() !== '') return text;
  throw new ConfigError(`${name} must not be empty`);
}

function wholeNumber(min: number, max: number): Read<number> {
  return (name, text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new ConfigError(`${name} takes a whole number from ${min} to ${max}, not "${text}"`);
  };
}

/** 0 means no limit. */
function limit(name: string, text: string): number | undefined {
  return wholeNumber(0, 1_000_000)(name, text) || undefined;
}

function oneOf(known: readonly string[]): Read<string> {
  return (name, text) => {
    if (known.includes(text)) return text;
    throw new ConfigError(`${name} is one of ${known.join(', ')}`);
  };
}

/** The message does not repeat the text, which may contain a password. */
export function postgresUrl(text: string): string {
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)) return text;
  throw new ConfigError('the database URL must be like postgres://user:password@host:5432/database');
}

/** The message does not repeat the key. */
export function checkedAdminKey(name: string, text: string): string {
  if (!/^[\x21-\x7e]{1,512}$/.test(text))
    throw new ConfigError(`${name} must be 1 to 512 printable characters without spaces`);
  if (isResponderToken(text)) throw new ConfigError(`${name} must not begin like a responder token`);
  return text;
}

/** Without a path, because the pages are at the top of their origin. */
export function publicUrl(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text)) return url.origin;
  throw new ConfigError(`${name} takes an address like https://holdpoint.example.com, not "${text}"`);
}

function origin(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.origin === text && /^https?:$/.test(url.protocol)) return text;
  throw new ConfigError(`${name} takes an origin like https://app.example.com, not "${text}"`);
}

/** holdpoint doctor: checks everything a server needs, and names remedies. It changes nothing. */
import { createServer } from 'node:net';
import { httpService } from '@holdpoint/client';
import { HoldpointError, isObject } from '@holdpoint/protocol';
import manifest from '../../../package.json' with { type: 'json' };
import { type Config, ConfigError, reachableUrl, readConfig } from '../../config.ts';
import { serveHelp } from '../../start-flags.ts';
import { type Command, exitCodes, type Shell } from '../command.ts';
import { readKey, readUrl } from '../connection.ts';
import { jsonOf, oneLine, paintFor } from '../terminal-text.ts';
import { type Check, databaseCheck, fail, folderChecks, ok, warn } from './data-checks.ts';

const help = `holdpoint doctor [flags]          check the configuration, server, key, data, disk and clock; exit code 1 if a check fails

  --json                    one line of JSON per check
  --url URL                 URL of the server (default: the address that the flags below set)
  --key-file FILE           file that contains the API key

All flags of serve, to check a configuration:

${serveHelp}
  HOLDPOINT_URL             like --url
`;

export const doctorCommand: Command = { help, run: doctor };

interface Given {
  isJson: boolean;
  url?: string;
  'key-file'?: string;
  forServe: string[];
}

async function doctor(args: readonly string[], shell: Shell): Promise<number> {
  const { isJson, forServe, ...given } = ownFlags(args);
  const checks = [nodeCheck()];
  const show = reporter(shell, isJson);
  const config = configOf(forServe, shell.env);
  if (config instanceof ConfigError) checks.push(fail('config', config.message, 'see holdpoint serve --help'));
  else checks.push(ok('config', 'flags and environment are valid'), ...(await checksOf(config, given, shell)));
  for (const check of checks) show(check);
  return checks.some(({ status }) => status === 'fail') ? exitCodes.failed : exitCodes.done;
}

/** Takes out the flags of doctor. The rest are flags of serve. */
function ownFlags(args: readonly string[]): Given {
  const given: Given = { isJson: false, forServe: [] };
  for (let index = 0; index < args.length; index++) {
    const [, name, inline] = /^--(url|key-file)(?:=(.*))?$/s.exec(args[index] ?? '') ?? [];
    if (args[index] === '--json') given.isJson = true;
    else if (name === undefined) given.forServe.push(args[index] ?? '');
    else {
      const value = inline ?? args[++index];
      if (value === undefined) throw new ConfigError(`--${name} takes a value`);
      given[name as 'url'] = value;
    }
  }
  return given;
}

function configOf(args: readonly string[], env: Shell['env']): Config | ConfigError {
  try {
    return readConfig(args, env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

async function checksOf(config: Config, given: Omit<Given, 'isJson' | 'forServe'>, { env }: Shell): Promise<Check[]> {
  const { host, port, dataFolder, databaseUrl } = config;
  const url = given.url ?? (env.HOLDPOINT_URL || reachableUrl(host, port));
  const place = { url: readUrl({ url }, env), key: readKey(given, env), version: manifest.version, host, port };
  const data = databaseUrl === undefined ? folderChecks(dataFolder) : [await databaseCheck(databaseUrl)];
  return [...data, ...(await serverChecks(place))];
}

function nodeCheck(): Check {
  const wanted = manifest.engines.node.replace('>=', '');
  const { node } = process.versions;
  const isEnough = node.localeCompare(wanted, undefined, { numeric: true }) >= 0;
  return isEnough ? ok('node', node) : fail('node', `${node} is too old`, `install ${wanted} or later`);
}

function reporter(shell: Shell, isJson: boolean): (check: Check) => void {
  const paint = paintFor(shell.stdout, shell);
  const marks = { ok: paint.good('ok  '), warn: paint.warn('warn'), fail: paint.bad('fail') };
  return (check) => {
    const { name, status, found, todo } = check;
    const line = `${marks[status]}  ${name.padEnd(8)}  ${oneLine(found)}${todo ? `\n                → ${oneLine(todo)}` : ''}`;
    shell.stdout.write(`${isJson ? jsonOf(check) : line}\n`);
  };
}

interface ServerPlace {
  url: string;
  key: string | undefined;
  /** The version of this command. */
  version: string;
  /** The address that a server with this configuration would listen on. */
  host: string;
  port: number;
}

const patienceMs = 5_000;
const smallSkewMs = 2_000;
const largeSkewMs = 60_000;

async function serverChecks(place: ServerPlace): Promise<Check[]> {
  const { url, version } = place;
  const begunAt = Date.now();
  const health = await call(`${url}/healthz`);
  const endedAt = Date.now();
  if (!health) return [await unreachable(place)];
  const { body } = health;
  if (!isObject(body) || body.status !== 'ok')
    return [fail('server', `${url} is not a Holdpoint server`, 'set another URL with --url, or stop that program')];
  const versions = `the server is ${body.version ?? 'older'}, this command ${version}`;
  return [
    ok('server', `${url} answers`),
    body.version === version ? ok('version', version) : warn('version', versions, 'install the same version of both'),
    await ready(url),
    clock(health.date, begunAt, endedAt),
    await keyCheck(place),
  ];
}

async function call(url: string): Promise<{ status: number; body: unknown; date: string | null } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    const body: unknown = await response.json().catch(() => undefined);
    return { status: response.status, body, date: response.headers.get('date') };
  } catch {
    return undefined;
  }
}

/** A stopped server is only a warning if it could be started. */
async function unreachable({ url, host, port }: ServerPlace): Promise<Check> {
  const { hostname, port: asked } = new URL(url);
  const isHere = [host, '127.0.0.1', 'localhost', '[::1]'].includes(hostname) && Number(asked || 80) === port;
  if (!isHere)
    return fail('server', `no server answers at ${url}`, 'start it, or set another URL with --url or HOLDPOINT_URL');
  const fault = await listenFault(host, port);
  if (fault !== undefined)
    return fail(
      'port',
      `no server runs, and none can start: ${fault}`,
      'stop that program, or choose another port with --port',
    );
  return warn('server', `no server answers at ${url}; port ${port} is free`, 'start it with "holdpoint serve"');
}

async function ready(url: string): Promise<Check> {
  const answered = await call(`${url}/readyz`);
  if (answered?.status === 200) return ok('writes', 'the server can save data');
  return fail('writes', 'the server cannot save data', 'check its log, disk and database');
}

/** A Date header has whole seconds, and the round trip takes time. */
function clock(date: string | null, begunAt: number, endedAt: number): Check {
  const serverTime = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isFinite(serverTime))
    return warn('clock', 'the server sends no time', 'check the proxy in front of the server');
  const skewMs = serverTime > endedAt ? serverTime - endedAt : Math.max(0, begunAt - (serverTime + 999));
  const words = `${(skewMs / 1_000).toFixed(1)} s different from the server's clock`;
  const todo = 'synchronize both clocks with NTP: the server applies deadlines by its own clock';
  if (skewMs > largeSkewMs) return fail('clock', words, todo);
  return skewMs > smallSkewMs ? warn('clock', words, todo) : ok('clock', "same as the server's");
}

async function keyCheck({ url, key }: ServerPlace): Promise<Check> {
  if (key === undefined) return warn('key', 'no API key', 'set HOLDPOINT_API_KEY, or name a file with --key-file');
  try {
    // Only an admin key may list keys. The error for others names their role.
    await httpService({ url, key, retryForMs: 0 }).listApiKeys({ limit: 1 });
    return ok('key', 'an admin key');
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error;
    const [, role] = /The caller has (\S+) rights/.exec(error.message) ?? [];
    if (role !== undefined)
      return ok('key', role.endsWith('responder') ? "a person's token" : `a key with the role ${role}`);
    return fail('key', error.message, 'check HOLDPOINT_API_KEY; "holdpoint keys create" creates a new key');
  }
}

/** Listens for a moment. Returns undefined if that works. */
function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? `port ${port} is in use by another program` : message),
    );
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

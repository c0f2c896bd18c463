/** holdpoint doctor: checks everything a server needs, and names remedies. It changes nothing. */
import manifest from '../../../package.json' with { type: 'json' };
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { reachableUrl } from '../../listen-address.ts';
import { serveHelp } from '../../start-flags.ts';
import { type Command, exitCodes, type Shell } from '../command.ts';
import { readKey, readUrl } from '../connection.ts';
import { jsonOf, oneLine, paintFor } from '../terminal-text.ts';
import { type Check, databaseCheck, fail, folderChecks, ok } from './data-checks.ts';
import { serverChecks } from './server-checks.ts';

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

/** holdpoint keys: manages API keys. A new key is printed once, on standard output. */
import { type ApiKey, defined, type HoldpointService, type Role } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import type { Command, Shell } from './command.ts';
import { connectionHelp, connectionOptions, failure, readConnection } from './connection.ts';
import { atMost, type FlagValues, readFlags } from './read-flags.ts';
import { jsonOf, oneLine, paintFor } from './terminal-text.ts';

const help = `holdpoint keys [list]                     list all keys, without their secrets
holdpoint keys create --role agent --name ci    create a key and print it once
holdpoint keys revoke ID                  revoke a key

  --role ROLE               agent: creates, waits for and cancels requests. admin: also answers for people and manages keys.
                            public: part of a web page, opens sessions there
  --name NAME               purpose of the key
  --origin ORIGIN           for a public key: origin of the pages that may use it; may be repeated
  --agent NAME              for a public key: agent that its pages talk to
  --json                    JSON output; list prints one key per line

All of these commands need an admin key.

${connectionHelp}
`;

const options = {
  ...connectionOptions,
  role: { type: 'string' },
  name: { type: 'string' },
  origin: { type: 'string', multiple: true },
  agent: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Flags = FlagValues<typeof options>;
type Act = (service: HoldpointService, shell: Shell) => Promise<void>;

export const keysCommand: Command = { help, run: keys };

async function keys(args: readonly string[], shell: Shell): Promise<number> {
  const { values: flags, positionals } = readFlags(args, options);
  const act = actOf(positionals, flags);
  const { service, url } = readConnection(flags, shell);
  try {
    await act(service, shell);
    return 0;
  } catch (error) {
    throw failure(error, url);
  }
}

function actOf([verb = 'list', ...words]: string[], flags: Flags): Act {
  if (verb === 'list') {
    atMost(0, words);
    return (service, shell) => list(service, shell, flags);
  }
  if (verb === 'create') {
    atMost(0, words);
    return create(flags);
  }
  if (verb !== 'revoke') throw new ConfigError(`keys takes list, create or revoke, not "${verb}"`);
  const [keyId, ...more] = words;
  atMost(0, more);
  if (keyId === undefined) throw new ConfigError('name the key: holdpoint keys revoke ID');
  return (service, shell) => revoke(service, shell, keyId, flags);
}

async function list(service: HoldpointService, shell: Shell, { json }: Flags): Promise<void> {
  const { stdout } = shell;
  const paint = paintFor(stdout, shell);
  for (let cursor: string | undefined; ; ) {
    const { data, next } = await service.listApiKeys({ limit: 200, ...defined({ cursor }) });
    for (const key of data)
      stdout.write(`${json ? jsonOf(key) : key.revokedAt ? paint.dim(lineOf(key)) : lineOf(key)}\n`);
    if (next === undefined) return;
    cursor = next;
  }
}

const lineOf = ({ id, role, name, createdAt, revokedAt }: ApiKey): string =>
  `${id}  ${role.padEnd(6)}  ${createdAt.slice(0, 10)}  ${oneLine(name)}${revokedAt ? `  revoked ${revokedAt.slice(0, 10)}` : ''}`;

const roles: readonly string[] = ['agent', 'admin', 'public'] satisfies Role[];

function create({ role, name, origin, agent, json }: Flags): Act {
  if (role === undefined || !roles.includes(role)) throw new ConfigError('--role is agent, admin or public');
  if (name === undefined) throw new ConfigError('name the purpose of the key: --name ci');
  const isPublic = role === 'public';
  if (isPublic !== (origin !== undefined) || isPublic !== (agent !== undefined))
    throw new ConfigError('--origin and --agent are required for a public key, and only for it');
  const settings = origin && agent ? { public: { agent, allowedOrigins: origin } } : {};
  return async (service, { stdout, stderr }) => {
    const created = await service.createApiKey({ name, role: role as Role, ...settings });
    stdout.write(`${json ? jsonOf(created) : (created.secret ?? created.publicKey)}\n`);
    if (!json)
      stderr.write(`key ${created.id}, ${role}${created.secret ? ': shown only once, so store it now' : ''}\n`);
  };
}

async function revoke(service: HoldpointService, { stdout }: Shell, keyId: string, { json }: Flags): Promise<void> {
  const revoked = await service.revokeApiKey({ keyId });
  stdout.write(json ? `${jsonOf(revoked)}\n` : `${oneLine(revoked.name)} revoked\n`);
}

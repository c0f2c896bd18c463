/** holdpoint keys: manages API keys. A new key is printed once, on standard output. */
import { type ApiKey, defined, type HoldpointService, type Role } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import type { Command, Shell } from './command.ts';
import { connectionHelp, connectionOptions, failure, readConnection } from './connection.ts';
import { atMost, readFlags } from './read-flags.ts';
import { jsonOf, oneLine, paintFor } from './terminal-text.ts';

const help = `holdpoint keys [list]                     all keys, without their secrets
holdpoint keys create --role agent --name ci    makes one, and prints it this once
holdpoint keys revoke ID                  refuses it from now on

  --role ROLE               agent: asks, waits and cancels. admin: also answers for people and manages access.
                            public: stands in a web page, and opens sessions there
  --name NAME               what it is for
  --origin ORIGIN           of a public key: pages of this origin may use it; may be repeated
  --agent NAME              of a public key: whom its pages talk to
  --json                    JSON instead of lines; list prints one key a line

All of it takes an admin key.

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

type Flags = ReturnType<typeof readFlags<typeof options>>['values'];
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
  if (keyId === undefined) throw new ConfigError('say which: holdpoint keys revoke ID');
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
  if (name === undefined) throw new ConfigError('say what the key is for: --name ci');
  const isPublic = role === 'public';
  if (isPublic !== (origin !== undefined) || isPublic !== (agent !== undefined))
    throw new ConfigError('a public key, and no other, takes --origin and --agent');
  const settings = origin && agent ? { public: { agent, allowedOrigins: origin } } : {};
  return async (service, { stdout, stderr }) => {
    const created = await service.createApiKey({ name, role: role as Role, ...settings });
    stdout.write(`${json ? jsonOf(created) : (created.secret ?? created.publicKey)}\n`);
    if (!json) stderr.write(`key ${created.id}, ${role}${created.secret ? ': shown this once, so keep it now' : ''}\n`);
  };
}

async function revoke(service: HoldpointService, { stdout }: Shell, keyId: string, { json }: Flags): Promise<void> {
  const revoked = await service.revokeApiKey({ keyId });
  stdout.write(json ? `${jsonOf(revoked)}\n` : `${oneLine(revoked.name)} is refused from now on\n`);
}

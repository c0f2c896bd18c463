/** Checks the options of an embedded Holdpoint before anything is opened. */
import { defined } from '@holdpoint/protocol';
import { isAgent } from '../load-agents.ts';
import { ConfigError, checkedAdminKey, filled, postgresUrl, publicUrl } from '../start-flags.ts';
import type { HoldpointOptions } from './embedded-holdpoint.ts';

const names = ['data', 'databaseUrl', 'agents', 'publicUrl', 'adminKey', 'logLevel'];

export function readOptions(options: HoldpointOptions) {
  if (typeof options !== 'object' || options === null) throw new ConfigError('give options, such as { data: folder }');
  const { data, databaseUrl, agents = [], logLevel = 'error' } = options;
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new ConfigError(`there is no option "${unknown}"; there are ${names.join(', ')}`);
  if ((data === undefined) === (databaseUrl === undefined))
    throw new ConfigError('give data, a folder, or databaseUrl, one of the two');
  if (logLevel !== 'error' && logLevel !== 'silent') throw new ConfigError('logLevel is error or silent');
  for (const name of ['data', 'databaseUrl', 'publicUrl', 'adminKey'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'string') throw new ConfigError(`${name} is a text`);
  if (!Array.isArray(agents) || !agents.every(isAgent))
    throw new ConfigError('agents are what agent(name, run) makes, each with a name and a function');
  const twice = agents.find(({ name }, index) => agents.findIndex((other) => other.name === name) !== index);
  if (twice) throw new ConfigError(`two agents are named "${twice.name}"`);
  return {
    config: {
      dataFolder: data === undefined ? '' : filled('data', data),
      ...defined({ databaseUrl: databaseUrl === undefined ? undefined : postgresUrl(databaseUrl) }),
      allowPrivateWebhooks: false,
    },
    agents,
    publicUrl: options.publicUrl === undefined ? undefined : publicUrl('publicUrl', options.publicUrl),
    adminKey: options.adminKey === undefined ? undefined : checkedAdminKey('adminKey', options.adminKey),
    logLevel,
  };
}

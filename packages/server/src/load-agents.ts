/** Loads the agents that `--agent` files export. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from '@holdpoint/agents';
import { ConfigError } from './config.ts';

/** Adds them to the server's own agents and rejects duplicate names. */
export async function loadAgents(files: readonly string[], own: readonly Agent[]): Promise<Agent[]> {
  const agents = [...own];
  for (const file of files) agents.push(...(await loadFile(file)));
  const names = agents.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return agents;
  throw new ConfigError(`--agent: two agents are named "${twice}"`);
}

async function loadFile(file: string): Promise<Agent[]> {
  const exported = (await import(pathToFileURL(resolve(file)).href).catch((error: unknown) => {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new ConfigError(`--agent ${file} cannot be loaded: ${reason}`);
  })) as Record<string, unknown>;
  const given = exported.default === undefined ? Object.values(exported).filter(isAgent) : [exported.default].flat();
  if (given.length > 0 && given.every(isAgent)) return given;
  throw new ConfigError(`--agent ${file} must export an agent, or a list of agents as its default`);
}

/** Checks the shape, because the file may use another copy of the package. */
export function isAgent(value: unknown): value is Agent {
  const { name, run } = (value ?? {}) as Partial<Agent>;
  return typeof name === 'string' && name !== '' && typeof run === 'function';
}

/** holdpoint mcp: the tools over standard input and output, for agents that start their MCP servers themselves. */
import { ConfigError } from '../config.ts';
import type { Command, Shell } from './command.ts';
import { atMost, readFlags } from './read-flags.ts';

const help = `holdpoint mcp [flags]     offer the tools of a server over standard input and output, to an agent that speaks MCP

  --url URL                 of the server (http://127.0.0.1:7400)
  --key KEY                 an API key of it

environment
  HOLDPOINT_URL             as --url
  HOLDPOINT_API_KEY         as --key, and hidden from the list of processes
`;

export const mcpCommand: Command = { help, run: serveMcp };

const options = { url: { type: 'string' }, key: { type: 'string' } } as const;

async function serveMcp(args: readonly string[], { env }: Shell): Promise<number> {
  const { url, key } = readArgs(args, env);
  // Who runs a server does not load this.
  const { serveMcpOverStdio } = await import('@holdpoint/mcp/stdio');
  // Standard output is the protocol's alone.
  const onError = (error: unknown) => process.stderr.write(`holdpoint mcp: ${(error as Error).message}\n`);
  const served = serveMcpOverStdio({ url, key, onError });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void served.close().finally(() => process.exit(0)));
  return 0;
}

function readArgs(args: readonly string[], env: Shell['env']) {
  const { values: flags, positionals } = readFlags(args, options);
  atMost(0, positionals);
  const url = flags.url ?? (env.HOLDPOINT_URL || 'http://127.0.0.1:7400');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ConfigError('--url takes an address like https://holdpoint.example.com');
  const key = flags.key ?? env.HOLDPOINT_API_KEY;
  if (!key) throw new ConfigError('give a key, by --key or by HOLDPOINT_API_KEY');
  return { url, key };
}

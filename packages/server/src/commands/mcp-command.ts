/** holdpoint mcp: the MCP tools over standard input and output, for agents that start their MCP servers themselves. */
import { httpService } from '@holdpoint/client';
import { readToolSets, type ToolSet } from '@holdpoint/mcp';
import { ConfigError } from '../config.ts';
import type { Command, Shell } from './command.ts';
import { connectionOptions, readKey, readUrl } from './connection.ts';
import { atMost, readFlags } from './read-flags.ts';
import { oneLine } from './terminal-text.ts';

const help = `holdpoint mcp [flags]     connect an MCP client to a server, over standard input and output

  --url URL                 URL of the server (http://127.0.0.1:7400)
  --key-file FILE           file that contains the API key
  --key KEY                 API key. Other users of the machine can read it in the list of processes,
                            so prefer a file or the environment
  --tools SETS              tool sets: ask (default), input-requests, or both with a comma

environment
  HOLDPOINT_URL             like --url
  HOLDPOINT_API_KEY         API key, hidden from the list of processes
`;

export const mcpCommand: Command = { help, run: serveMcp };

const options = { ...connectionOptions, key: { type: 'string' }, tools: { type: 'string' } } as const;

async function serveMcp(args: readonly string[], { env }: Shell): Promise<number> {
  const { url, key, sets } = readArgs(args, env);
  // Loaded here, because a server does not need it.
  const { serveMcpOverStdio } = await import('@holdpoint/mcp/stdio');
  // Standard output carries only the protocol.
  const onError = (error: unknown) => process.stderr.write(`holdpoint mcp: ${oneLine((error as Error).message)}\n`);
  const served = serveMcpOverStdio({ url, key, sets, service: httpService({ url, key }), onError });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void served.close().finally(() => process.exit(0)));
  return 0;
}

function readArgs(args: readonly string[], env: Shell['env']) {
  const { values: flags, positionals } = readFlags(args, options);
  atMost(0, positionals);
  const url = readUrl(flags, env);
  if (flags['key-file'] === '-') throw new ConfigError('--key-file takes a file here: standard input is for the agent');
  if (flags.key !== undefined && flags['key-file'] !== undefined)
    throw new ConfigError('give --key or --key-file, not both');
  const key = flags.key ?? readKey(flags, env);
  if (!key) throw new ConfigError('no API key: set HOLDPOINT_API_KEY, or name a file that contains it with --key-file');
  return { url, key, sets: setsIn(flags.tools) };
}

function setsIn(text: string | undefined): readonly ToolSet[] {
  try {
    return readToolSets(text);
  } catch (error) {
    throw new ConfigError(`--${(error as Error).message}`);
  }
}

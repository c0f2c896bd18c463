/** holdpoint mcp: the tools over standard input and output, for agents that start their MCP servers themselves. */
import { parseArgs } from 'node:util';
import { ConfigError } from './config.ts';

export const mcpHelp = `  --url URL                 of the server (http://127.0.0.1:7400)
  --key KEY                 an API key of it

environment
  HOLDPOINT_URL             as --url
  HOLDPOINT_API_KEY         as --key, and hidden from the list of processes`;

const options = { url: { type: 'string' }, key: { type: 'string' } } as const;

export async function serveMcp(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { url, key } = readArgs(args, env);
  // Who runs a server does not load this.
  const { serveMcpOverStdio } = await import('@holdpoint/mcp/stdio');
  // Standard output is the protocol's alone.
  const onError = (error: unknown) => process.stderr.write(`holdpoint mcp: ${(error as Error).message}\n`);
  const served = serveMcpOverStdio({ url, key, onError });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void served.close().finally(() => process.exit(0)));
}

function readArgs(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const flags = readFlags(args);
  const url = flags.url ?? (env.HOLDPOINT_URL || 'http://127.0.0.1:7400');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new ConfigError('--url takes an address like https://holdpoint.example.com');
  const key = flags.key ?? env.HOLDPOINT_API_KEY;
  if (!key) throw new ConfigError('give a key, by --key or by HOLDPOINT_API_KEY');
  return { url, key };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new ConfigError((error as Error).message.split(/\.\s/)[0] ?? 'bad flags');
  }
}

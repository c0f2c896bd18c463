#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=8 --no-parallel-scavenge
/** The command: one clear line on a mistake of the caller (exit 2), one on a failure (exit 1). */
import { ConfigError, readConfig, serveHelp } from './config.ts';
import { startServer } from './main.ts';
import { mcpHelp, serveMcp } from './mcp-command.ts';
import { FolderInUseError } from './stores/sqlite/lock-folder.ts';

const help = `holdpoint serve [flags]   run the server

${serveHelp}

holdpoint mcp [flags]     offer the tools of a server over standard input and output, to an agent that speaks MCP

${mcpHelp}
`;

const commands: Record<string, (args: readonly string[]) => Promise<void>> = {
  serve,
  mcp: (args) => serveMcp(args, process.env),
};

/** A stop that takes longer is cut off; the process supervisor would do it otherwise. */
const stopMs = 4_500;

async function serve(args: readonly string[]): Promise<void> {
  const config = readConfig(args, process.env);
  process.on('uncaughtException', failed);
  // A server whose log nobody reads any more still has answers to keep.
  process.stderr.on('error', () => {});
  let isStopping = false;
  // Only the first signal counts: Ctrl-C under npm arrives twice, and a second one must not cut the stop short.
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(0), stopMs).unref();
    starting.then((server) => server.stop()).then(() => process.exit(0), failed);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const starting = startServer(config);
  const server = await starting;
  if (server.newAdminKey) process.stdout.write(`holdpoint admin key, shown this once: ${server.newAdminKey}\n`);
  if (!isStopping) process.stdout.write(`holdpoint ready ${server.url}\n`);
}

function failed(error: unknown): never {
  const isCallers = error instanceof ConfigError || error instanceof FolderInUseError;
  process.stderr.write(`holdpoint: ${isCallers ? error.message : unforeseen(error)}\n`);
  process.exit(isCallers ? 2 : 1);
}

/** The whole stack, on one line. */
const unforeseen = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).replaceAll(/\s*\n\s*/g, ' ');

const [command, ...args] = process.argv.slice(2);
const isHelp = command === undefined || command === 'help' || command === '--help' || args.includes('--help');
const run = command !== undefined && Object.hasOwn(commands, command) ? commands[command] : undefined;
if (isHelp) process.stdout.write(help);
else if (run) run(args).catch(failed);
else failed(new ConfigError(`there is no command "${command}"; see holdpoint --help`));

#!/usr/bin/env node
/** The command: one clear line on a mistake of the caller (exit 2), one on a failure (exit 1). */
import { ConfigError, readConfig, serveHelp } from './config.ts';
import { startServer } from './main.ts';
import { FolderInUseError } from './stores/sqlite/lock-folder.ts';

const help = `holdpoint serve [flags]   run the server

${serveHelp}
`;

/** A drain that takes longer is cut off; the process supervisor would do it otherwise. */
const drainMs = 4_500;

async function serve(args: readonly string[]): Promise<void> {
  const server = await startServer(readConfig(args, process.env));
  if (server.newAdminKey) process.stdout.write(`holdpoint admin key, shown this once: ${server.newAdminKey}\n`);
  process.stdout.write(`holdpoint ready ${server.url}\n`);
  const stop = () => {
    setTimeout(() => process.exit(0), drainMs).unref();
    server.stop().then(() => process.exit(0), failed);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function failed(error: unknown): void {
  const { message } = error as Error;
  const isCallers = error instanceof ConfigError || error instanceof FolderInUseError;
  process.stderr.write(`holdpoint: ${message}\n`);
  process.exitCode = isCallers ? 2 : 1;
  if (!isCallers) process.exit(1);
}

const [command, ...args] = process.argv.slice(2);
if (command === 'serve' && !args.includes('--help')) serve(args).catch(failed);
else if (command === undefined || command === 'help' || args.includes('--help') || command === '--help')
  process.stdout.write(help);
else failed(new ConfigError(`there is no command "${command}"; see holdpoint --help`));

#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=8 --no-parallel-scavenge
/** The `holdpoint` command. A usage error is one line and exit code 2, a failure names a remedy and has exit code 1. */
import { nodeMistake } from './check-node.ts';
import { exitCodes } from './commands/command.ts';
import { commands, hiddenCommands, overview } from './commands/commands.ts';
import { lines } from './commands/terminal-text.ts';
import { ConfigError } from './config.ts';

const [name, ...args] = process.argv.slice(2);
const { env, stdin, stdout, stderr } = process;

async function run(): Promise<number> {
  const mistake = nodeMistake(process.versions.node);
  if (mistake) throw new ConfigError(mistake);
  const known = { ...commands, ...hiddenCommands };
  const found = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
  const isHelp = name === undefined || name === 'help' || name === '--help' || name === '-h';
  if (isHelp) return print(overview);
  if (!found) throw new ConfigError(`there is no command "${name}"; see holdpoint --help`);
  const command = await found.load();
  return args.includes('--help') || args.includes('-h')
    ? print(command.help)
    : command.run(args, { env, stdin, stdout, stderr });
}

function print(help: string): number {
  stdout.write(help);
  return 0;
}

function failed(error: unknown): never {
  // Compared by name, because importing the class would load the store in every command.
  const isCallers = error instanceof ConfigError || (error instanceof Error && error.name === 'FolderInUseError');
  // A message may quote text by others, such as a label or a name.
  stderr.write(`holdpoint: ${lines(isCallers ? error.message : unforeseen(error))}\n`);
  process.exit(isCallers ? 2 : 1);
}

/** A failure that a command explains, or else the stack on one line. */
function unforeseen(error: unknown): string {
  if (error instanceof Error && error.name === 'Failure') return error.message;
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).replaceAll(/\s*\n\s*/g, ' ');
}

// A closed pipe ends every command except the server, which still has to store answers.
stdout.on('error', () => {
  if (name !== 'serve') process.exit(exitCodes.unread);
});

// Output may still be on its way to a pipe, so only a server or a failure ends the process explicitly.
run().then((code) => {
  process.exitCode = code;
  if (name === 'serve') process.exit(code);
}, failed);

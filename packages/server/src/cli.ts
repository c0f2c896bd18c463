#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=8 --no-parallel-scavenge
/** The command: one clear line on a mistake of the caller (exit 2), what went wrong and what to do on a failure (exit 1). */
import { nodeMistake } from './check-node.ts';
import { commands, hiddenCommands, overview } from './commands/commands.ts';
import { exitCodes } from './commands/exit-codes.ts';
import { lines } from './commands/shown.ts';
import { ConfigError } from './config.ts';

const [name, ...args] = process.argv.slice(2);
const { env, stdin, stdout, stderr } = process;

async function run(): Promise<number> {
  const mistake = nodeMistake(process.versions.node);
  if (mistake) throw new ConfigError(mistake);
  const known = { ...commands, ...hiddenCommands };
  const found = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
  const isHelp = name === undefined || name === 'help' || name === '--help' || name === '-h';
  if (isHelp) return tell(overview);
  if (!found) throw new ConfigError(`there is no command "${name}"; see holdpoint --help`);
  const command = await found.load();
  return args.includes('--help') || args.includes('-h')
    ? tell(command.help)
    : command.run(args, { env, stdin, stdout, stderr });
}

function tell(help: string): number {
  stdout.write(help);
  return 0;
}

function failed(error: unknown): never {
  // By its name: the class is part of a store that other commands do not load.
  const isCallers = error instanceof ConfigError || (error instanceof Error && error.name === 'FolderInUseError');
  // A message may quote what others wrote: a label, a name, a reason.
  stderr.write(`holdpoint: ${lines(isCallers ? error.message : unforeseen(error))}\n`);
  process.exit(isCallers ? 2 : 1);
}

/** What a command explains itself, or else the whole stack, on one line. */
function unforeseen(error: unknown): string {
  if (error instanceof Error && error.name === 'Failure') return error.message;
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).replaceAll(/\s*\n\s*/g, ' ');
}

// Whoever has read enough ends a command, but no server: it still has answers to keep.
stdout.on('error', () => {
  if (name !== 'serve') process.exit(exitCodes.unread);
});

// What was written may still be on its way to a pipe: only a server or a failure ends the process by force.
run().then((code) => {
  process.exitCode = code;
  if (name === 'serve') process.exit(code);
}, failed);

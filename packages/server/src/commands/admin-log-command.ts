/** holdpoint admin-log: prints who changed people, rights and settings, and who signed in. */
import { type AdminEvent, defined, isTimestamp } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import type { Command, Shell } from './command.ts';
import { connectionHelp, connectionOptions, failure, readConnection } from './connection.ts';
import { everyItem } from './every-item.ts';
import { atMost, durationMs, readFlags } from './read-flags.ts';
import { jsonOf, nameOf, oneLine, shortly } from './terminal-text.ts';

const shownWithoutPeriod = 50;

const help = `holdpoint admin-log                    print the last ${shownWithoutPeriod} changes of people, rights and settings, and sign-ins
holdpoint admin-log --since 30d        print all of the last 30 days, the newest first
holdpoint admin-log --export > log.jsonl   export everything; the export is recorded in the log

  --since TIME              time like 12h or 30d before now, or a date like 2030-01-31T12:00:00Z
  --export                  export as JSON Lines
  --json                    JSON output, one event per line

All of these commands need an admin key.

${connectionHelp}
`;

const options = {
  ...connectionOptions,
  since: { type: 'string' },
  export: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

export const adminLogCommand: Command = { help, run: adminLog };

async function adminLog(args: readonly string[], shell: Shell): Promise<number> {
  const { values: flags, positionals } = readFlags(args, options);
  atMost(0, positionals);
  const from = flags.since === undefined ? undefined : timeOf(flags.since);
  const { service, url } = readConnection(flags, shell);
  const { stdout } = shell;
  try {
    if (flags.export) {
      for (let cursor: string | undefined; ; ) {
        const { lines, next } = await service.exportAdminEvents(defined({ from, cursor }));
        // JSON as it is stored: a file keeps it, and a terminal is no place for it.
        stdout.write(stdout.isTTY ? lines.replace(/[^\n]+/g, (line) => jsonOf(JSON.parse(line))) : lines);
        if (next === undefined) return 0;
        cursor = next;
      }
    }
    let left = from === undefined ? shownWithoutPeriod : Number.POSITIVE_INFINITY;
    for await (const event of everyItem((page) => service.listAdminEvents({ ...defined({ from }), ...page }))) {
      stdout.write(`${flags.json ? jsonOf(event) : lineOf(event)}\n`);
      left -= 1;
      if (left === 0) break;
    }
    return 0;
  } catch (error) {
    throw failure(error, url);
  }
}

function timeOf(given: string): string {
  if (isTimestamp(given)) return given;
  if (/^\d{4}-/.test(given))
    throw new ConfigError('--since takes a time like 12h, or a date like 2030-01-31T12:00:00Z');
  return new Date(Math.max(0, Date.now() - durationMs('--since', given))).toISOString();
}

function lineOf({ at, type, actor, subject, data }: AdminEvent): string {
  const by = `${oneLine(actor.name ?? nameOf(actor))} (${actor.via})`;
  const about = subject ? [oneLine(subject.name ?? subject.id)] : [];
  return [at, type.padEnd(22), by, ...about, ...(data ? [shortly(data)] : [])].join('  ');
}

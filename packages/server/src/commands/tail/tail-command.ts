/** holdpoint tail: what happens, a line for each event, without a gap also over restarts of the server. */
import { Holdpoint } from '@holdpoint/client';
import { defined, type EventType, eventTypes } from '@holdpoint/protocol';
import { ConfigError } from '../../config.ts';
import type { Command, Shell } from '../command.ts';
import { connectionHelp, connectionOptions, readConnection } from '../connection.ts';
import { failure } from '../explain-failure.ts';
import { paintFor } from '../paint.ts';
import { atMost, readFlags } from '../read-flags.ts';
import { jsonOf } from '../shown.ts';
import { lineWriter } from './event-line.ts';

const help = `holdpoint tail [flags]            follow what happens, until Ctrl-C

  --thread ID               only of this thread
  --type TYPE               only these: interaction.answered, or a family such as interaction; may be repeated
  --from start|CURSOR       from the beginning, or after an event that was seen (from now on)
  --json                    one event a line, as JSON with its cursor, instead of a line for people

A connection that is lost is made again, and goes on after the last event.

${connectionHelp}
`;

const options = {
  ...connectionOptions,
  thread: { type: 'string' },
  type: { type: 'string', multiple: true },
  from: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const tailCommand: Command = { help, run: tail };

async function tail(args: readonly string[], shell: Shell): Promise<number> {
  const { values: flags, positionals } = readFlags(args, options);
  atMost(0, positionals);
  const filter = {
    ...defined({ threadId: flags.thread, types: flags.type?.flatMap(typesOf), after: flags.from }),
  };
  const { url, key } = readConnection(flags, shell);
  const { stdout, stderr } = shell;
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  // Whoever read it, such as head, has seen enough.
  stdout.on('error', () => stopping.abort());
  const toLine = flags.json ? jsonOf : lineWriter(paintFor(stdout, shell));
  try {
    const onConnection = (isThere: boolean) =>
      void stderr.write(isThere ? 'connected again\n' : 'the connection is lost; trying again\n');
    const holdpoint = new Holdpoint({ url, key, retryForMs: 0 });
    for await (const event of holdpoint.events({ ...filter, signal: stopping.signal, onConnection }))
      stdout.write(`${toLine(event)}\n`);
    return 0;
  } catch (error) {
    throw failure(error, url);
  }
}

function typesOf(given: string): EventType[] {
  const types = eventTypes.filter((type) => type === given || type.startsWith(`${given}.`));
  if (types.length === 0) throw new ConfigError(`there is no event "${given}"; there are ${eventTypes.join(', ')}`);
  return types;
}

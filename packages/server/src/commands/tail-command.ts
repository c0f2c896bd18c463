/** holdpoint tail: prints events as they happen, without a gap when the server restarts. */
import { Holdpoint } from '@holdpoint/client';
import { defined, type EventType, eventTypes, type FreeObject, type LogEvent, type Message } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import type { Command, Shell } from './command.ts';
import { connectionHelp, connectionOptions, failure, readConnection } from './connection.ts';
import { atMost, readFlags } from './read-flags.ts';
import { jsonOf, nameOf, oneLine, type Paint, paintFor, shortly } from './terminal-text.ts';

const help = `holdpoint tail [flags]            print events as they happen, until Ctrl-C

  --thread ID               only events of this thread
  --type TYPE               only events of this type, such as interaction.answered, or of a group such as interaction;
                            may be repeated
  --from start|CURSOR       from the first event, or after an event (default: new events only)
  --json                    one line of JSON per event, with its cursor

tail reconnects after a lost connection and continues after the last event.

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
  const filter = defined({ threadId: flags.thread, types: flags.type?.flatMap(typesOf), after: flags.from });
  const { url, key } = readConnection(flags, shell);
  const { stdout, stderr } = shell;
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  // The reader, such as head, has closed the pipe.
  stdout.on('error', () => stopping.abort());
  const toLine = flags.json ? jsonOf : lineWriter(paintFor(stdout, shell));
  try {
    const onConnection = (isThere: boolean) =>
      void stderr.write(isThere ? 'connected again\n' : 'connection lost; retrying\n');
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

/** The number of titles to remember. */
const remembered = 1_000;

/** Formats events as lines: time, thread, actor, and what happened. */
export function lineWriter(paint: Paint): (event: LogEvent) => string {
  const titles = new Map<string, string>();

  return (event) => {
    const { interactionId, data } = event;
    const asked = 'interaction' in data ? data.interaction : undefined;
    if (interactionId !== undefined && asked?.title !== undefined) {
      if (titles.size >= remembered) titles.clear();
      titles.set(interactionId, `"${shortly(asked.title)}"`);
    }
    const title = interactionId === undefined ? undefined : (titles.get(interactionId) ?? interactionId);
    const when = new Date(event.at).toTimeString().slice(0, 8);
    const what = [wordsOf(event, paint), title, detailsOf(event)].filter(Boolean).join(' ');
    return `${paint.dim(when)} ${paint.dim(oneLine(event.threadId))} ${nameOf(event.actor)} ${what}`;
  };
}

const words: Partial<Record<LogEvent['type'], string>> = {
  'interaction.created': 'requested',
  'interaction.secrets-taken': 'read the secrets of',
  'message.created': 'wrote',
  'message.completed': 'finished',
  'message.cancelled': 'cancelled',
};

function wordsOf({ type }: LogEvent, paint: Paint): string {
  const [, verb = type] = type.split('.');
  const painted = /answered|completed/.test(verb)
    ? paint.good
    : /declined|expired|cancelled|failed|disabled/.test(verb)
      ? paint.bad
      : (text: string) => text;
  const isOfQuestion = type.startsWith('interaction.');
  return painted(words[type] ?? (isOfQuestion ? verb : type.replace('.', ' ')));
}

function detailsOf({ type, data }: LogEvent): string {
  if (type.startsWith('message.')) return saidIn('message' in data ? data.message : undefined);
  const answer = 'answer' in data ? data.answer : 'vote' in data ? data.vote : undefined;
  if (answer) return answer.reason === undefined ? valuesOf(answer.values) : `: ${shortly(answer.reason)}`;
  const run = 'run' in data ? data.run : undefined;
  if (run) return [oneLine(run.agent), run.error ? `: ${shortly(run.error.message)}` : ''].join('');
  return 'reason' in data && data.reason !== undefined ? `: ${shortly(data.reason)}` : '';
}

const saidIn = (message: Message | undefined): string =>
  shortly(
    message?.state === 'streaming'
      ? '…'
      : (message?.blocks ?? [])
          .map(({ type, payload }) => (typeof payload.text === 'string' ? payload.text : `[${type}]`))
          .join(' '),
  );

const valuesOf = (values: FreeObject): string =>
  Object.entries(values)
    .map(([name, value]) => `${oneLine(name)}=${shortly(value)}`)
    .join(' ');

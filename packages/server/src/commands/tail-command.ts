/** holdpoint tail: prints events as they happen, without a gap when the server restarts. */
import { Holdpoint } from '@holdpoint/client';
import { defined, type EventType, eventTypes, type FreeObject, type LogEvent, type Message } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import type { Command, Shell } from './command.ts';
import { connectionHelp, connectionOptions, failure, readConnection } from './connection.ts';
import { lookUpNames, type Names } from './look-up-names.ts';
import { atMost, readFlags } from './read-flags.ts';
import { endOf, jsonOf, nameOf, oneLine, type Paint, paintFor, shortly } from './terminal-text.ts';

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
  try {
    const onConnection = (isThere: boolean) =>
      void stderr.write(isThere ? 'connected again\n' : 'connection lost; retrying\n');
    const holdpoint = new Holdpoint({ url, key, retryForMs: 0 });
    const toLine = flags.json ? jsonOf : lineWriter(paintFor(stdout, shell), lookUpNames(holdpoint));
    for await (const event of holdpoint.events({ ...filter, signal: stopping.signal, onConnection }))
      stdout.write(`${await toLine(event)}\n`);
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

/** Formats events as lines: time, thread, actor, what happened, and the deadline of a new question. */
function lineWriter(paint: Paint, names: Names): (event: LogEvent) => Promise<string> {
  return async (event) => {
    const { threadId, interactionId, data } = event;
    const asked = 'interaction' in data ? data.interaction : undefined;
    if (interactionId !== undefined && asked?.title !== undefined) names.questions.put(interactionId, asked.title);
    if ('thread' in data && data.thread) names.threads.put(threadId, data.thread.title);
    const thread = oneLine(await names.threads.get(threadId));
    const title = interactionId === undefined ? undefined : `"${shortly(await names.questions.get(interactionId))}"`;
    const when = new Date(event.at).toTimeString().slice(0, 8);
    const what = [wordsOf(event, paint), title, detailsOf(event)].filter(Boolean).join(' ');
    const isNew = event.type === 'interaction.created' && asked && 'deadline' in asked && asked.deadline;
    const ends = isNew ? paint.warn(`, ${endOf(isNew, Date.now())}`) : '';
    return `${paint.dim(when)} ${paint.dim(thread)}: ${nameOf(event.actor)} ${what}${ends}`;
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

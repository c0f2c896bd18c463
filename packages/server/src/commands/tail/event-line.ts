/** An event as a line for people: when, where, who, what. */
import type { FreeObject, LogEvent, Message } from '@holdpoint/protocol';
import type { Paint } from '../paint.ts';
import { nameOf, oneLine, shortly } from '../shown.ts';

/** How many titles are remembered, of questions that were seen being asked. */
const remembered = 1_000;

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
  'interaction.created': 'asks',
  'interaction.secrets-taken': 'took the secrets of',
  'message.created': 'says',
  'message.completed': 'has said',
  'message.cancelled': 'broke off',
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

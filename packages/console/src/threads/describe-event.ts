/** Describes an event in one line of plain text. */
import {
  type Answer,
  type EventType,
  type Interaction,
  isObject,
  type LogEvent,
  type Message,
  type Run,
  type StoredFile,
} from '@holdpoint/protocol';

export type Titles = ReadonlyMap<string, string>;

/** Titles of requests that appear in the log. */
export function titlesOf(events: readonly LogEvent[]): Titles {
  return new Map(
    events.flatMap(({ type, interactionId, data }) =>
      type === 'interaction.created' && interactionId
        ? [[interactionId, (data.interaction as Interaction).title] as const]
        : [],
    ),
  );
}

export function describeEvent({ type, interactionId = '', data }: LogEvent, titles: Titles): string {
  const title = titles.get(interactionId);
  const words = wordsByType[type];
  return typeof words === 'string' ? words : words(title === undefined ? 'a request' : `“${title}”`, data);
}

type Data = Record<string, unknown>;

/** The words for each type: fixed, or from the title of the request and the data of the event. */
const wordsByType: Record<EventType, string | ((request: string, data: Data) => string)> = {
  'thread.created': 'opened the thread',
  'thread.updated': 'changed the thread',
  'message.created': (_, { message }) => messageWords(message as Message | undefined),
  'message.completed': (_, { message }) =>
    `finished a message: ${messageWords(message as Message | undefined).replace(/^wrote: /, '')}`,
  'message.cancelled': 'cancelled a message',
  'interaction.created': (request) => `asked ${request}`,
  'interaction.updated': (request) => `changed ${request}`,
  'interaction.voted': (request, { vote }) => `voted on ${request}: ${valuesOf(vote as Answer | undefined)}`,
  'interaction.answered': (request, { answer }) => `answered ${request}: ${valuesOf(answer as Answer | undefined)}`,
  'interaction.declined': (request, { answer }) =>
    [`declined ${request}`, (answer as Answer | undefined)?.reason].filter(Boolean).join(': '),
  'interaction.cancelled': (request) => `cancelled ${request}`,
  'interaction.expired': (request) => `closed ${request} at its deadline`,
  'interaction.reminded': (request) => `sent a reminder of ${request}`,
  'interaction.escalated': (request, { added }) => `escalated ${request} to ${[added].flat().join(', ')}`,
  'interaction.reassigned': (request) => `changed who may answer ${request}`,
  'interaction.secrets-taken': (request) => `read the secrets of ${request}`,
  'run.started': 'started a run',
  'run.resumed': 'resumed a run',
  'run.woken': 'woke a run',
  'run.completed': 'finished a run',
  'run.cancelled': 'cancelled a run',
  'run.waiting': (_, { run }) => `is waiting for ${waitsOf(run as Run | undefined)}`,
  'run.failed': (_, { run }) => `failed: ${(run as Run | undefined)?.error?.message ?? 'no reason given'}`,
  'file.attached': (_, { file }) => `attached ${(file as StoredFile | undefined)?.name ?? 'a file'}`,
  'grant.created': 'created a grant',
  'grant.revoked': 'revoked a grant',
  'webhook.disabled': 'disabled a webhook',
  'telemetry.recorded': (_, { name }) => `reported ${String(name ?? 'visitor activity')}`,
};

/** The list of the protocol would add TypeBox to the page. */
export const eventTypes = Object.keys(wordsByType) as EventType[];

function waitsOf(run: Run | undefined): string {
  const words = { interaction: 'an answer', message: 'a message', time: 'a time' };
  return run?.waitingFor?.map(({ type }) => words[type]).join(' or ') ?? 'something';
}

function messageWords(message: Message | undefined): string {
  const words = message && wordsOf(message);
  return words ? `wrote: ${words}` : message?.state === 'streaming' ? 'started a message' : 'sent a message';
}

function valuesOf(answer: Answer | undefined): string {
  if (!answer) return '';
  if (answer.payload !== undefined) return JSON.stringify(answer.payload);
  const values = Object.entries(answer.values);
  const texts = values.map(([name, value]) => (values.length === 1 ? '' : `${name} `) + wordsOfValue(value));
  return texts.join(', ') || (answer.decision === 'declined' ? 'declined' : 'no values');
}

/** A line never shows more. */
const maxLength = 1_000;

/** The text of a message. Undefined if it has only images or other blocks without text. */
export function wordsOf({ blocks }: Message): string | undefined {
  const texts = blocks.flatMap(({ payload }) => {
    const title = typeof payload.title === 'string' ? `${payload.title}. ` : '';
    const text = typeof payload.text === 'string' ? payload.text.slice(0, maxLength) : '';
    const words = title + (payload.format === 'markdown' ? withoutMarks(text) : text);
    return words.trim() ? [words] : [];
  });
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim() || undefined;
}

/** Removes Markdown marks. It need not parse exactly, because the line is truncated anyway. */
export function withoutMarks(markdown: string): string {
  return markdown
    .replaceAll(/^ {0,3}(?:(?:#{1,6}|[-*+]|\d+[.)]) +|> ?|```\w*|~~~\w*)/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*\*|\*\*|__|~~|`)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])/g, '$2');
}

/** The value of a field as text. */
export function wordsOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(wordsOfValue).join(', ') || 'none';
  const isFile = isObject(value) && 'file_id' in value && 'name' in value;
  return isFile ? String(value.name) : JSON.stringify(value);
}

/** Describes an event in one line of plain text. */
import type { Answer, Interaction, LogEvent, Message, Run, StoredFile } from '@holdpoint/protocol';

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
  const question = title === undefined ? 'a request' : `“${title}”`;
  const answer = 'answer' in data ? data.answer : undefined;
  switch (type) {
    case 'thread.created':
      return 'opened the thread';
    case 'thread.updated':
      return 'changed the thread';
    case 'message.created':
      return said(data.message as Message | undefined);
    case 'message.completed':
      return `finished a message: ${said(data.message as Message | undefined).replace(/^wrote: /, '')}`;
    case 'message.cancelled':
      return 'cancelled a message';
    case 'interaction.created':
      return `asked ${question}`;
    case 'interaction.updated':
      return `changed ${question}`;
    case 'interaction.voted':
      return `voted on ${question}: ${valuesOf(data.vote as Answer | undefined)}`;
    case 'interaction.answered':
      return `answered ${question}: ${valuesOf(answer)}`;
    case 'interaction.declined':
      return `declined ${question}${answer?.reason ? `: ${answer.reason}` : ''}`;
    case 'interaction.cancelled':
      return `cancelled ${question}`;
    case 'interaction.expired':
      return `closed ${question} at its deadline`;
    case 'interaction.reminded':
      return `sent a reminder of ${question}`;
    case 'interaction.escalated':
      return `escalated ${question} to ${[data.added].flat().join(', ')}`;
    case 'interaction.secrets-taken':
      return `read the secrets of ${question}`;
    case 'run.started':
    case 'run.resumed':
    case 'run.woken':
    case 'run.completed':
    case 'run.cancelled':
      return runWords[type];
    case 'run.waiting':
      return `is waiting for ${waitsOf(data.run as Run | undefined)}`;
    case 'run.failed':
      return `failed: ${(data.run as Run | undefined)?.error?.message ?? 'no reason given'}`;
    case 'file.attached':
      return `attached ${(data.file as StoredFile | undefined)?.name ?? 'a file'}`;
    case 'grant.created':
      return 'created a grant';
    case 'grant.revoked':
      return 'revoked a grant';
    case 'webhook.disabled':
      return 'disabled a webhook';
    case 'telemetry.recorded':
      return `reported ${String(data.name ?? 'visitor activity')}`;
  }
}

const runWords = {
  'run.started': 'started a run',
  'run.resumed': 'resumed a run',
  'run.woken': 'woke a run',
  'run.completed': 'finished a run',
  'run.cancelled': 'cancelled a run',
} as const;

function waitsOf(run: Run | undefined): string {
  const words = { interaction: 'an answer', message: 'a message', time: 'a time' };
  return run?.waitingFor?.map(({ type }) => words[type]).join(' or ') ?? 'something';
}

function said(message: Message | undefined): string {
  const words = message && wordsOf(message);
  return words ? `wrote: ${words}` : message?.state === 'streaming' ? 'started a message' : 'sent a message';
}

function valuesOf(answer: Answer | undefined): string {
  if (!answer) return '';
  if (answer.payload !== undefined) return JSON.stringify(answer.payload);
  const values = Object.entries(answer.values);
  const told = values.map(([name, value]) =>
    values.length === 1 ? wordsOfValue(value) : `${name} ${wordsOfValue(value)}`,
  );
  return told.join(', ') || (answer.decision === 'declined' ? 'declined' : 'no values');
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
  if (isFile(value)) return value.name;
  return JSON.stringify(value);
}

const isFile = (value: unknown): value is { file_id: string; name: string } =>
  typeof value === 'object' && value !== null && 'file_id' in value && 'name' in value;

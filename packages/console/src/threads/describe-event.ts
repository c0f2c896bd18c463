/** An event as a sentence without its subject: who did it stands before it. */
import type { Answer, Interaction, LogEvent, Message, Run, StoredFile } from '@holdpoint/protocol';
import { wordsOf, wordsOfValue } from './plain-words.ts';

export type Titles = ReadonlyMap<string, string>;

/** The titles of questions, as far as the log tells them. */
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
  const question = title === undefined ? 'a question' : `“${title}”`;
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
      return 'broke a message off';
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
      return `withdrew ${question}`;
    case 'interaction.expired':
      return `closed ${question}, whose time was over`;
    case 'interaction.reminded':
      return `reminded of ${question}`;
    case 'interaction.escalated':
      return `passed ${question} on to ${[data.added].flat().join(', ')}`;
    case 'interaction.secrets-taken':
      return `took the secrets of ${question}`;
    case 'run.started':
    case 'run.resumed':
    case 'run.woken':
    case 'run.completed':
    case 'run.cancelled':
      return runWords[type];
    case 'run.waiting':
      return `waits for ${waitsOf(data.run as Run | undefined)}`;
    case 'run.failed':
      return `failed: ${(data.run as Run | undefined)?.error?.message ?? 'without a reason'}`;
    case 'file.attached':
      return `attached ${(data.file as StoredFile | undefined)?.name ?? 'a file'}`;
    case 'grant.created':
      return 'gave a standing answer';
    case 'grant.revoked':
      return 'revoked a standing answer';
    case 'webhook.disabled':
      return 'switched a webhook off';
    case 'telemetry.recorded':
      return `reported ${String(data.name ?? 'what a visitor did')}`;
  }
}

const runWords = {
  'run.started': 'began a run',
  'run.resumed': 'went on with a run',
  'run.woken': 'woke a run whose time had come',
  'run.completed': 'finished a run',
  'run.cancelled': 'cancelled a run',
} as const;

function waitsOf(run: Run | undefined): string {
  const words = { interaction: 'an answer', message: 'a message', time: 'a time' };
  return run?.waitingFor?.map(({ type }) => words[type]).join(' or ') ?? 'something';
}

function said(message: Message | undefined): string {
  const words = message && wordsOf(message);
  return words ? `wrote: ${words}` : message?.state === 'streaming' ? 'began a message' : 'wrote something';
}

function valuesOf(answer: Answer | undefined): string {
  if (!answer) return '';
  if (answer.payload !== undefined) return JSON.stringify(answer.payload);
  const values = Object.entries(answer.values);
  const told = values.map(([name, value]) =>
    values.length === 1 ? wordsOfValue(value) : `${name} ${wordsOfValue(value)}`,
  );
  return told.join(', ') || (answer.decision === 'declined' ? 'declined' : 'without values');
}

/** Texts of others for a terminal, and times for people. */
import type { Actor, Interaction } from '@holdpoint/protocol';

/** What others wrote must not move the cursor, paint, or pretend to be a line of ours. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();

/** The same, with its lines. */
export const lines = (text: string): string => text.split(/\r?\n/).map(oneLine).join('\n');

export const nameOf = ({ type, id }: Actor): string => (type === 'human' ? oneLine(id) : `${type} ${oneLine(id)}`);

export function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const line = oneLine(text);
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** 5 s, 3 min, 2 h, 4 days. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** Whom a question waits for. */
export function awaited({ responder, resolution, votes }: Interaction): string {
  const who =
    responder.assignees?.map(oneLine).join(', ') ?? (responder.type === 'any' ? 'anybody' : `any ${responder.type}`);
  return resolution.mode === 'first' ? who : `${who}, ${votes.length} of ${resolution.count} votes so far`;
}

/** Text for a terminal: safe to print, in color where the terminal supports it. */
import {
  type Actor,
  type ActorRef,
  hiddenCharacter,
  type Interaction,
  visibleText,
  votesNeeded,
} from '@holdpoint/protocol';
import type { Shell } from './command.ts';

const everyHidden = new RegExp(hiddenCharacter.source, 'gu');

/**
 * Names characters by which text from others could move the cursor, set colors, reverse the text after it, or imitate
 * our output.
 */
export const oneLine = (text: string): string => visibleText(text.replaceAll(/[\t\n]|\r\n/g, ' ')).trim();

/** The same, keeping line breaks and indentation. */
export const lines = (text: string): string =>
  visibleText(text.replaceAll('\t', ' '))
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n');

/** JSON for standard output. Escapes control characters that JSON allows, because a terminal would interpret them. */
export const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replaceAll(everyHidden, (each) =>
    each.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );

export const nameOf = ({ type, id, name = id }: ActorRef & Pick<Actor, 'name'>): string =>
  type === 'human' ? oneLine(name) : `${type} ${oneLine(name)}`;

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

const deadlineWords = {
  expire: 'expires',
  recommended: 'takes the recommended answer',
  decline: 'is declined',
} as const;

/** The deadline, and the action that follows it. */
export const endOf = ({ at, outcome }: NonNullable<Interaction['deadline']>, now: number): string =>
  `${deadlineWords[outcome]} in ${span(Date.parse(at) - now)}`;

/** The responders that a request waits for. */
export function awaited({ responder, resolution, votes }: Interaction): string {
  const who =
    (responder.assignees?.length === 0 ? 'nobody' : responder.assignees?.map(oneLine).join(', ')) ??
    (responder.type === 'any' ? 'anybody' : `any ${responder.type}`);
  return resolution.mode === 'first' ? who : `${who}, ${votes.length} of ${votesNeeded(resolution)} votes so far`;
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
}

const painted = (open: number, close: number) => (text: string) => `\x1b[${open}m${text}\x1b[${close}m`;
const plain = (text: string) => text;

const colours: Paint = {
  bold: painted(1, 22),
  dim: painted(2, 22),
  good: painted(32, 39),
  bad: painted(31, 39),
  warn: painted(33, 39),
};
const none: Paint = { bold: plain, dim: plain, good: plain, bad: plain, warn: plain };

/** Colors on a terminal, unless the user disabled them (https://no-color.org). */
export const paintFor = (stream: { isTTY?: boolean }, { env }: Pick<Shell, 'env'>): Paint =>
  stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? colours : none;

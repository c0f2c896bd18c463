/** A message whose text comes piece by piece: its text so far, its end, and the time after which it is abandoned. */
import { type Actor, type Block, codePoints, type Fault, limits, type Message } from '@holdpoint/protocol';
import type { NewEvent } from './command.ts';
import { systemActor, timestamp } from './state.ts';

export interface MessageStream {
  threadId: string;
  /** All pieces so far. */
  text: string;
  updatedAt: string;
}

/** A stream without a new piece for this long is cancelled, because its author is gone. */
export const streamIdleMs = 60_000;

export const textBlocks = (text: string): Block[] =>
  text === '' ? [] : [{ type: 'message', payload: { text, format: 'plain' } }];

export const beginStream = ({ threadId, at }: Message): MessageStream => ({ threadId, text: '', updatedAt: at });

export function appendTo(stream: MessageStream, piece: string, now: number): MessageStream | Fault {
  const text = stream.text + piece;
  if (codePoints(text) <= limits.messageLength) return { ...stream, text, updatedAt: timestamp(now) };
  const message = `A message may have at most ${limits.messageLength} characters, and ${codePoints(stream.text)} have come already.`;
  return { code: 'invalid-input', detail: message, problems: [{ pointer: '/text', code: 'max-length', message }] };
}

/** Returns the message with the text so far. */
export const soFar = (message: Message, { text, updatedAt }: MessageStream): Message => ({
  ...message,
  blocks: textBlocks(text),
  updatedAt,
});

export type StreamEnd = { type: 'complete'; by: Actor; text?: string } | { type: 'cancel'; by: Actor };

export function endStream(
  { state: _, ...begun }: Message,
  stream: MessageStream,
  end: StreamEnd,
  now: number,
): { message: Message; event: NewEvent } {
  const at = timestamp(now);
  const isComplete = end.type === 'complete';
  const message: Message = {
    ...begun,
    blocks: textBlocks((isComplete ? end.text : undefined) ?? stream.text),
    ...(isComplete ? {} : { state: 'cancelled' }),
    updatedAt: at,
  };
  const type = isComplete ? 'message.completed' : 'message.cancelled';
  return { message, event: { type, at, actor: end.by, data: { message } } };
}

export const abandonedAt = ({ updatedAt }: MessageStream): number => Date.parse(updatedAt) + streamIdleMs;

/** The end of an abandoned stream. */
export const abandoned: StreamEnd = { type: 'cancel', by: systemActor('stream') };

/** One event has at most this much text of a piece. The rest of the event has room for all ids. */
const maxPieceBytes = 5_000;

/** Splits a text into pieces that are small enough to publish. No piece cuts a character in two. */
export function publishedPieces(text: string, maxBytes = maxPieceBytes): string[] {
  const pieces: string[] = [];
  let [from, at, bytes] = [0, 0, 0];
  for (const character of text) {
    const more = jsonBytes(character.codePointAt(0) ?? 0);
    if (bytes + more > maxBytes) {
      pieces.push(text.slice(from, at));
      [from, bytes] = [at, 0];
    }
    at += character.length;
    bytes += more;
  }
  return [...pieces, text.slice(from)];
}

/** Returns the number of bytes as JSON.stringify writes it, in UTF-8, or more. */
function jsonBytes(codePoint: number): number {
  const isSurrogate = codePoint >= 0xd800 && codePoint < 0xe000;
  if (codePoint < 0x20 || isSurrogate) return 6;
  if (codePoint < 0x80) return codePoint === 0x22 || codePoint === 0x5c ? 2 : 1;
  return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}

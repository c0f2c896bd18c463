/** A message whose text comes piece by piece: what has come, how it ends, and when it has dried up. */
import { type Actor, type Block, codePoints, type Fault, limits, type Message } from '@holdpoint/protocol';
import type { NewEvent } from './command.ts';
import { systemActor, timestamp } from './state.ts';

export interface MessageStream {
  threadId: string;
  /** All that was appended. */
  text: string;
  updatedAt: string;
}

/** A stream that nothing was appended to for this long is cancelled: whoever wrote it is gone. */
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

/** The message as it stands while it is being streamed. */
export const soFar = (message: Message, { text, updatedAt }: MessageStream): Message => ({
  ...message,
  blocks: textBlocks(text),
  updatedAt,
});

export type StreamEnd = { type: 'complete'; by: Actor; text?: string } | { type: 'cancel'; by: Actor };

export interface EndedStream {
  message: Message;
  event: NewEvent;
}

export function endStream(message: Message, stream: MessageStream, end: StreamEnd, now: number): EndedStream {
  const { state: _, ...begun } = message;
  const at = timestamp(now);
  const isComplete = end.type === 'complete';
  const ended: Message = {
    ...begun,
    blocks: textBlocks((isComplete ? end.text : undefined) ?? stream.text),
    ...(isComplete ? {} : { state: 'cancelled' }),
    updatedAt: at,
  };
  const type = isComplete ? 'message.completed' : 'message.cancelled';
  return { message: ended, event: { type, at, actor: end.by, data: { message: ended } } };
}

export const driesUpAt = ({ updatedAt }: MessageStream): number => Date.parse(updatedAt) + streamIdleMs;

/** What happens to a stream that nobody appends to. */
export const driedUp: StreamEnd = { type: 'cancel', by: systemActor('stream') };

/** So much of the text of a piece goes into one event; beside it there is room for every id that an event has. */
const maxPieceBytes = 5_000;

/** A text in pieces that are small enough to be told, none of which cuts a character in two. */
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

/** As JSON.stringify writes it, in UTF-8, or more. */
function jsonBytes(codePoint: number): number {
  const isSurrogate = codePoint >= 0xd800 && codePoint < 0xe000;
  if (codePoint < 0x20 || isSurrogate) return 6;
  if (codePoint < 0x80) return codePoint === 0x22 || codePoint === 0x5c ? 2 : 1;
  return codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}

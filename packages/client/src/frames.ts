/** Server-sent events, as they come. */
import { piecesOf } from './blob-content.ts';

/** A connection may be dead without anybody saying so; one that is alive says something every 15 seconds. */
export const silentMs = 45_000;

export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Partial<Record<string, string>>> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of piecesOf(body, silentMs)) {
    const frames = (text + decoder.decode(piece, { stream: true })).split('\n\n');
    text = frames.pop() as string;
    for (const frame of frames) yield Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/s)));
  }
}

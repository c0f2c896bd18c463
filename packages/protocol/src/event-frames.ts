/** Parses a stream of server-sent events, for the client, the widget and the console. */

/** `id` or `data` is empty if the frame has no such line. */
export interface EventFrame {
  id: string;
  data: string;
}

/** The server sends something every 15 seconds. A stream that is silent for this long is dead, even if it stays open. */
export const silentMs = 45_000;

/** Takes the text of a stream piece by piece, as our server writes it: lines end with `\n`, a space follows the colon. */
export function frameParser(): (text: string) => EventFrame[] {
  let rest = '';
  return (text) => {
    rest += text;
    // Otherwise an event of 4 MB would be searched again with every piece, which took 1 s.
    if (!text.includes('\n')) return [];
    const frames = rest.split('\n\n');
    rest = frames.pop() as string;
    return frames.map((frame) => ({ id: linesOf(frame, 'id: '), data: linesOf(frame, 'data: ') }));
  };
}

const linesOf = (frame: string, field: string): string =>
  frame
    .split('\n')
    .flatMap((line) => (line.startsWith(field) ? [line.slice(field.length)] : []))
    .join('\n');

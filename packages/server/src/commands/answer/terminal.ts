/** Reads input line by line, from a terminal or a pipe. Secrets are not echoed. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Shell } from '../command.ts';
import { type Paint, paintFor } from '../terminal-text.ts';

export interface Terminal {
  paint: Paint;
  say(text: string): void;
  /** Returns undefined at the end of the input (Ctrl-C, Ctrl-D, end of the pipe). */
  ask(prompt: string, options?: { isSecret?: boolean }): Promise<string | undefined>;
  close(): void;
}

export function openTerminal(shell: Shell): Terminal {
  const { stdin, stderr } = shell;
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  let isMuted = false;
  const output = new Writable({
    write(piece, _encoding, done) {
      if (!isMuted) stderr.write(piece);
      done();
    },
  });
  // No history, so that the arrow keys cannot bring back a secret.
  const reader = createInterface({ input: stdin, output, terminal: isTerminal, historySize: 0 });
  // A pipe delivers lines faster than they are asked for.
  const unread: string[] = [];
  let isOver = false;
  let take: ((line: string | undefined) => void) | undefined;
  const give = (line: string | undefined) => {
    const taker = take;
    take = undefined;
    taker?.(line);
  };
  reader.on('line', (line) => {
    if (take) give(line);
    else unread.push(line);
  });
  reader.on('SIGINT', () => reader.close());
  reader.on('close', () => {
    isOver = true;
    give(undefined);
  });
  return {
    paint: paintFor(stderr, shell),
    say: (text) => void stderr.write(`${text}\n`),
    async ask(prompt, { isSecret = false } = {}) {
      const line = unread.shift();
      if (line !== undefined) {
        stderr.write(`${prompt}\n`);
        return line;
      }
      if (isOver) return undefined;
      reader.setPrompt(prompt);
      reader.prompt();
      isMuted = isSecret;
      const answer = await new Promise<string | undefined>((resolve) => {
        take = resolve;
      });
      isMuted = false;
      // A muted line ends without a line break on the screen, and a pipe has none.
      if (isSecret || !isTerminal || answer === undefined) stderr.write('\n');
      return answer;
    },
    close: () => reader.close(),
  };
}

/** Questions and answers by lines, at a terminal or down a pipe. What is typed as a secret is not shown. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Shell } from '../command.ts';
import { type Paint, paintFor } from '../paint.ts';

export interface Terminal {
  paint: Paint;
  say(text: string): void;
  /** undefined: there is nobody any more (Ctrl-C, Ctrl-D, the end of the pipe). */
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
  // Without a history: a secret must not come back by the arrow key.
  const reader = createInterface({ input: stdin, output, terminal: isTerminal, historySize: 0 });
  // Lines of a pipe come faster than they are asked for.
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
      // The end of the line was not shown either; down a pipe nothing was.
      if (isSecret || !isTerminal || answer === undefined) stderr.write('\n');
      return answer;
    },
    close: () => reader.close(),
  };
}

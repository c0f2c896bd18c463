/** Progress messages on standard error while a request is pending. */
import type { Waiting } from '@holdpoint/client';
import type { Interaction, ResponderToken } from '@holdpoint/protocol';
import type { Shell } from '../command.ts';
import { awaited, nameOf, oneLine, paintFor, span } from '../terminal-text.ts';

export interface Progress {
  asked(interaction: Interaction, link: ResponderToken | undefined): void;
  show: NonNullable<Waiting['onProgress']>;
  ended(interaction: Interaction): void;
  unanswered(interaction: Interaction): void;
  interrupted(interaction: Interaction): void;
  /** Restores the terminal. */
  stop(): void;
}

export function progressOn(shell: Shell, { url, isQuiet }: { url: string; isQuiet: boolean }): Progress {
  const { stderr } = shell;
  const paint = paintFor(stderr, shell);
  const clock = tickingOn(stderr, isQuiet);
  const say = (text: string) => {
    clock.clear();
    if (!isQuiet) stderr.write(`${text}\n`);
  };
  const goOn = (id: string) => `wait again:  holdpoint ask --resume ${id}`;
  return {
    asked(interaction, link) {
      const { id, title, status, deadline } = interaction;
      say(`${paint.bold(oneLine(title))} ${paint.dim(id)}`);
      if (status !== 'pending') return;
      say(`waiting for ${awaited(interaction)}${deadline ? `, until ${deadline.at}` : ''}`);
      say(`answer it at ${url}/#/inbox/${id}\nor in a terminal:   holdpoint answer ${id}`);
      if (link) say(`or with this personal link, without signing in: ${link.url ?? `${url}/a/${link.token}`}`);
      clock.start();
    },
    show({ votes, isAway }) {
      if (votes) say(`waiting for ${awaited(votes)}`);
      if (isAway !== undefined)
        say(isAway ? paint.warn('no connection to the server; retrying') : 'connected to the server again');
    },
    ended({ status, answer, cancelReason }) {
      clock.stop();
      if (answer) {
        const why = answer.reason ? `: ${oneLine(answer.reason)}` : '';
        say(
          `${answer.decision === 'accepted' ? paint.good('answered') : paint.bad('declined')} by ${nameOf(answer.by)}${why}`,
        );
      } else say(`${paint.bad(status)}${cancelReason ? `: ${oneLine(cancelReason)}` : ''}`);
    },
    unanswered({ id, status }) {
      clock.stop();
      if (status === 'cancelled') say('nobody answered in time; the request is cancelled');
      else say(`nobody answered in time; the request stays open\n${goOn(id)}`);
    },
    interrupted({ id }) {
      clock.stop();
      // Printed even with --quiet, because nothing else names the open request.
      clock.clear();
      stderr.write(`the request stays open, and the server keeps its answer\n${goOn(id)}\n`);
    },
    stop: () => clock.stop(),
  };
}

/** Updates the elapsed time in place on a terminal. */
function tickingOn(stderr: Shell['stderr'], isQuiet: boolean) {
  let timer: NodeJS.Timeout | undefined;
  const clear = () => {
    if (stderr.isTTY && !isQuiet) stderr.write('\r\x1b[K');
  };
  return {
    clear,
    start() {
      if (!stderr.isTTY || isQuiet) return;
      const since = performance.now();
      timer = setInterval(() => stderr.write(`\r\x1b[Kwaiting, ${span(performance.now() - since)}`), 1_000);
    },
    stop() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      clear();
    },
  };
}

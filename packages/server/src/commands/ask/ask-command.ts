/** holdpoint ask: sends one request from a shell script, and returns its answer as JSON and as an exit code. */
import { type Waiting, waitUntilClosed } from '@holdpoint/client';
import {
  type CreateInteraction,
  CreateInteractionSchema,
  checkQuestion,
  checkShape,
  type FreeObject,
  HoldpointError,
  type HoldpointService,
  type Interaction,
  type ResponderToken,
} from '@holdpoint/protocol';
import { ConfigError } from '../../config.ts';
import { type Command, exitCodes, type Shell } from '../command.ts';
import { failure, readConnection } from '../connection.ts';
import { atMost, durationMs, readFlags } from '../read-flags.ts';
import { awaited, jsonOf, nameOf, oneLine, paintFor, span } from '../terminal-text.ts';
import { exitCodeOf, outcomeOf, plainField, plainFor, plainOf } from './outcome.ts';
import { type AskFlags, askHelp, askOptions, readQuestion } from './read-request.ts';

export const askCommand: Command = { help: askHelp, run: ask };

async function ask(args: readonly string[], shell: Shell): Promise<number> {
  const { values: flags, positionals } = readFlags(args, askOptions);
  atMost(1, positionals);
  const timeoutMs = flags.timeout === undefined ? undefined : durationMs('--timeout', flags.timeout);
  const { service, url } = readConnection(flags, shell);
  const progress = progressOn(shell, { url, isQuiet: flags.quiet === true });
  const find = finder(service, positionals[0], flags);
  try {
    const asked = await find();
    progress.asked(asked, await linkFor(service, asked, flags.link));
    const interaction = await wait(service, asked, timeoutMs, progress);
    if (interaction === undefined) return exitCodes.interrupted;
    const isLate = interaction.status === 'pending';
    const last = isLate && flags['cancel-on-timeout'] ? await withdraw(service, interaction) : interaction;
    const secrets = flags['take-secrets'] ? await secretsOf(service, last) : {};
    const reading = { countDeadlineAsApproval: flags['count-deadline-as-approval'] };
    const outcome = outcomeOf(last, secrets, reading);
    if (isLate && last.status !== 'answered') progress.unanswered(last);
    else progress.ended(last);
    // Prints no values that only a deadline accepted, because nobody gave them.
    const plain = outcome.status === 'expired' ? '' : plainOf(last, secrets);
    shell.stdout.write(flags.plain ? plainFor(shell.stdout, plain) : printed(outcome, shell));
    return isLate && last.status === 'cancelled' ? exitCodes.unanswered : exitCodeOf(outcome);
  } catch (error) {
    throw failure(error, url);
  } finally {
    progress.stop();
  }
}

/** Decides how to get the request, and checks the flags before any call. */
function finder(service: HoldpointService, title: string | undefined, flags: AskFlags): () => Promise<Interaction> {
  const { resume, thread, 'idempotency-key': key } = flags;
  if (resume === undefined) {
    const question = readQuestion(title, flags, Date.now());
    checkBeforehand(question, flags);
    return () => create(service, question, thread, key);
  }
  if (title !== undefined) throw new ConfigError('--resume waits for a question that was asked; it takes no new one');
  return () => service.getInteraction({ interactionId: resume });
}

/** Checked before any call, because otherwise a thread without a request would remain. */
function checkBeforehand(given: CreateInteraction, { plain }: AskFlags): void {
  const shape = checkShape(CreateInteractionSchema, given);
  const checked = shape.length > 0 ? { ok: false as const, problems: shape } : checkQuestion(given);
  if (!checked.ok) {
    const listed = checked.problems.map(({ pointer, message }) => `\n  ${pointer}: ${message}`);
    throw new ConfigError(`this cannot be asked${listed.join('')}`);
  }
  if (plain && plainField(checked.question) === undefined)
    throw new ConfigError('--plain prints one value, and this question has several; leave it out');
}

async function create(
  service: HoldpointService,
  question: CreateInteraction,
  thread: string | undefined,
  key: string | undefined,
): Promise<Interaction> {
  const once = (what: string) => (key === undefined ? {} : { idempotencyKey: `${key}:${what}` });
  const ask = (threadId: string) => service.createInteraction({ ...question, threadId, ...once('question') });
  if (thread === undefined) {
    const { id } = await service.createThread({ title: String(question.title).slice(0, 1_000), ...once('thread') });
    return ask(id);
  }
  try {
    return await ask(thread);
  } catch (error) {
    if (!isFault(error, 'thread-not-found')) throw error;
    await service.createThread({ id: thread }).catch((fault: unknown) => {
      if (!isFault(fault, 'thread-exists')) throw fault;
    });
    return ask(thread);
  }
}

const isFault = (error: unknown, code: string): boolean => error instanceof HoldpointError && error.code === code;

/** A link gives access to this request, so it is created only for a named person. */
async function linkFor(service: HoldpointService, { id, status }: Interaction, name: string | undefined) {
  if (name === undefined || status !== 'pending') return undefined;
  return service.mintResponderToken({ responderId: name, interactionId: id, ttlSeconds: 604_800 });
}

/** Returns undefined on Ctrl-C. The request stays open, because other processes may wait for it too. */
async function wait(
  service: HoldpointService,
  interaction: Interaction,
  timeoutMs: number | undefined,
  progress: Progress,
): Promise<Interaction | undefined> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  try {
    const { signal } = stopping;
    const latest = await waitUntilClosed(service, interaction, { timeoutMs, signal, onProgress: progress.show });
    if (!signal.aborted || latest.status !== 'pending') return latest;
    progress.interrupted(latest);
    return undefined;
  } finally {
    process.off('SIGINT', stop);
  }
}

/** A request that was answered at the same moment stays answered. */
async function withdraw(service: HoldpointService, { id }: Interaction): Promise<Interaction> {
  try {
    return await service.cancelInteraction({ interactionId: id, reason: 'Nobody answered in time.' });
  } catch (error) {
    if (!(error instanceof HoldpointError && error.code.startsWith('interaction-'))) throw error;
    return service.getInteraction({ interactionId: id });
  }
}

async function secretsOf(service: HoldpointService, { id, answer }: Interaction): Promise<FreeObject> {
  if (!answer?.secretFields?.length) return {};
  return (await service.takeSecrets({ interactionId: id, idempotencyKey: `take:${id}` })).values;
}

/** One line for programs, indented for a terminal. */
const printed = (outcome: object, { stdout }: Shell): string => `${jsonOf(outcome, stdout.isTTY ? 2 : undefined)}\n`;

interface Progress {
  asked(interaction: Interaction, link: ResponderToken | undefined): void;
  show: NonNullable<Waiting['onProgress']>;
  ended(interaction: Interaction): void;
  unanswered(interaction: Interaction): void;
  interrupted(interaction: Interaction): void;
  /** Restores the terminal. */
  stop(): void;
}

function progressOn(shell: Shell, { url, isQuiet }: { url: string; isQuiet: boolean }): Progress {
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
      if (link) say(`or with this personal link, without signing in: ${link.url ?? `${url}/a/#${link.token}`}`);
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

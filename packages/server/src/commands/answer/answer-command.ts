/** holdpoint answer: lists pending requests, and answers them at the terminal or by flags. */

import { userInfo } from 'node:os';
import { type Actor, defined, HoldpointError, type Interaction } from '@holdpoint/protocol';
import { ConfigError } from '../../config.ts';
import { outcomeOf } from '../ask/outcome.ts';
import { type Command, exitCodes, type Shell } from '../command.ts';
import { type Connection, connectionHelp, connectionOptions, failure, readConnection } from '../connection.ts';
import { atMost, readFlags } from '../read-flags.ts';
import { jsonOf, oneLine, paintFor } from '../terminal-text.ts';

import { answerOne, shownOf } from './answer-one.ts';
import { givenValues } from './field-values.ts';
import { chooseAndAnswer, pendingLine, pendingOf } from './pending.ts';

import { openTerminal } from './terminal.ts';

const help = `holdpoint answer [ID] [flags]     list what waits for an answer, and answer it

  holdpoint answer                        choose from the list, and answer here
  holdpoint answer ID                     this one
  holdpoint answer ID --value env=staging --value notes="after lunch"
  holdpoint answer ID --decline --reason "not on a Friday"

  --value NAME=VALUE        answers without asking; repeat it. Options go by value or label, uploads by path,
                            several with commas; NAME:=JSON for anything else. NAME=@FILE takes the text
                            of a file, @- of standard input: a secret is then in no list of processes
  --decline                 declines it, with --reason TEXT
  --as NAME                 who answers (your login name). An admin key answers for anybody, a person's own
                            token only for that person
  --list                    only lists, as it does without a terminal
  --thread ID               only of this thread
  --assignee NAME           only what names this person
  --json                    one line of JSON for each question that waits, and for each answer

${connectionHelp}
`;

const options = {
  ...connectionOptions,
  value: { type: 'string', multiple: true },
  decline: { type: 'boolean' },
  reason: { type: 'string' },
  as: { type: 'string' },
  list: { type: 'boolean' },
  thread: { type: 'string' },
  assignee: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Flags = ReturnType<typeof readFlags<typeof options>>['values'];

export const answerCommand: Command = { help, run: answer };

async function answer(args: readonly string[], shell: Shell): Promise<number> {
  const { values: flags, positionals } = readFlags(args, options);
  atMost(1, positionals);
  const [interactionId] = positionals;
  checkTogether(interactionId, flags);
  const connection = readConnection(flags, shell);
  try {
    if (interactionId === undefined) return await withoutId(connection, flags, shell);
    if (flags.value || flags.decline) return await byFlags(connection, interactionId, flags, shell);
    const interaction = await connection.service.getInteraction({ interactionId });
    const terminal = openTerminal(shell);
    try {
      return await answerOne(
        { terminal, connection, responder: responderOf(connection, flags), print: printer(flags, shell) },
        interaction,
      );
    } finally {
      terminal.close();
    }
  } catch (error) {
    throw failure(error, connection.url);
  }
}

function checkTogether(interactionId: string | undefined, { value, decline, reason, list }: Flags): void {
  if (interactionId === undefined && (value || decline))
    throw new ConfigError('say which: holdpoint answer ID; holdpoint answer --list shows them');
  if (interactionId !== undefined && list) throw new ConfigError('--list lists all; leave the id out');
  if (value && decline) throw new ConfigError('give --value or --decline, not both');
  if (reason !== undefined && !decline) throw new ConfigError('--reason belongs to --decline');
}

/** A responder token belongs to one person. A key names the person it answers for. */
function responderOf({ key }: Connection, { as }: Flags): { responder?: Actor } {
  if (as === undefined && key.startsWith('hpr_')) return {};
  return { responder: { type: 'human', id: as ?? userInfo().username } };
}

async function withoutId(connection: Connection, flags: Flags, shell: Shell): Promise<number> {
  const { thread, assignee } = flags;
  const filter = {
    ...defined({ threadId: thread, assignee }),
  };
  if (!flags.list && !flags.json && shell.stdin.isTTY) {
    const terminal = openTerminal(shell);
    const answering = { terminal, connection, responder: responderOf(connection, flags), print: printer(flags, shell) };
    return chooseAndAnswer(answering, filter).finally(terminal.close);
  }
  const paint = paintFor(shell.stdout, shell);
  let count = 0;
  for await (const interaction of pendingOf(connection.service, filter)) {
    count++;
    shell.stdout.write(`${flags.json ? jsonOf(interaction) : pendingLine(interaction, paint, Date.now())}\n`);
  }
  if (count === 0 && !flags.json) shell.stderr.write('nothing waits for an answer\n');
  return exitCodes.done;
}

async function byFlags(
  { service, url, key }: Connection,
  interactionId: string,
  flags: Flags,
  shell: Shell,
): Promise<number> {
  const who = responderOf({ service, url, key }, flags);
  const reason = flags.reason === undefined ? {} : { reason: flags.reason };
  const print = printer(flags, shell);
  if (flags.decline) {
    print(await service.declineInteraction({ interactionId, ...who, ...reason }));
    return exitCodes.done;
  }
  const interaction = await service.getInteraction({ interactionId });
  const values = await givenValues({ service, interactionId }, interaction, flags.value ?? []);
  try {
    print(await service.submitAnswer({ ...shownOf(interaction), values, ...who }));
  } catch (error) {
    // The messages name the field. Pointers mean nothing to a user who wrote no JSON.
    if (!(error instanceof HoldpointError && error.code === 'invalid-answer')) throw error;
    const told = (error.fault.problems ?? []).map(({ message }) => `\n  ${oneLine(message)}`);
    throw new ConfigError(`this does not answer the question${told.join('')}`, { cause: error });
  }
  return exitCodes.done;
}

const printer =
  ({ json }: Flags, { stdout, stderr }: Shell) =>
  (interaction: Interaction): void => {
    const outcome = outcomeOf(interaction);
    if (json) stdout.write(`${jsonOf(outcome)}\n`);
    else if (outcome.status === 'pending') stderr.write('your vote is counted; the question waits for others\n');
    else stderr.write(`${outcome.status}\n`);
  };

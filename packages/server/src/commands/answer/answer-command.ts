/** holdpoint answer: lists pending requests, and answers them at the terminal or by flags. */
import { userInfo } from 'node:os';
import { type ActorRef, defined, HoldpointError, type HoldpointService, type Interaction } from '@holdpoint/protocol';
import { ConfigError } from '../../config.ts';
import { outcomeOf } from '../ask/outcome.ts';
import { type Command, exitCodes, type Shell } from '../command.ts';
import { type Connection, connectionHelp, connectionOptions, failure, readConnection } from '../connection.ts';
import { lookUpNames, type Names } from '../look-up-names.ts';
import { atMost, type FlagValues, readFlags } from '../read-flags.ts';
import { awaited, endOf, jsonOf, nameOf, oneLine, type Paint, paintFor, span } from '../terminal-text.ts';
import { type Answering, answerOne, shownOf } from './answer-one.ts';
import { givenValues } from './field-values.ts';
import { openTerminal } from './terminal.ts';

const help = `holdpoint answer [ID] [flags]     list pending requests and answer them

  holdpoint answer                        choose from the list and answer here
  holdpoint answer ID                     answer this request
  holdpoint answer ID --value env=staging --value notes="after lunch"
  holdpoint answer ID --decline --reason "not on a Friday"

  --value NAME=VALUE        value of a field; may be repeated. Give options by value or label, uploads by path,
                            several with commas. NAME:=JSON gives other types. NAME=@FILE reads a file and
                            @- reads standard input, which keeps a secret out of the list of processes
  --decline                 decline the request, with --reason TEXT
  --as NAME                 name of the responder (your login name). An admin key can answer for anybody, a
                            person's token only for that person
  --list                    only list, which is the default without a terminal
  --thread ID               only requests of this thread
  --assignee NAME           only requests assigned to this person
  --json                    one line of JSON per pending request and per answer

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

type Flags = FlagValues<typeof options>;

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
    return await atTerminal(connection, flags, shell, (answering) => answerOne(answering, interaction));
  } catch (error) {
    throw failure(error, connection.url);
  }
}

function checkTogether(interactionId: string | undefined, { value, decline, reason, list }: Flags): void {
  if (interactionId === undefined && (value || decline))
    throw new ConfigError('name the request: holdpoint answer ID. "holdpoint answer --list" lists the ids');
  if (interactionId !== undefined && list) throw new ConfigError('--list takes no id');
  if (value && decline) throw new ConfigError('give --value or --decline, not both');
  if (reason !== undefined && !decline) throw new ConfigError('--reason works only with --decline');
}

/** A responder token belongs to one person. A key names the person it answers for. */
function responderOf({ key }: Connection, { as }: Flags): { responder?: ActorRef } {
  if (as === undefined && key.startsWith('hpr_')) return {};
  return { responder: { type: 'human', id: as ?? userInfo().username } };
}

function atTerminal(
  connection: Connection,
  flags: Flags,
  shell: Shell,
  run: (answering: Answering) => Promise<number>,
): Promise<number> {
  const terminal = openTerminal(shell);
  const responder = responderOf(connection, flags);
  return run({ terminal, connection, responder, print: printer(flags, shell) }).finally(terminal.close);
}

async function withoutId(connection: Connection, flags: Flags, shell: Shell): Promise<number> {
  const filter = defined({ threadId: flags.thread, assignee: flags.assignee });
  if (!flags.list && !flags.json && shell.stdin.isTTY)
    return atTerminal(connection, flags, shell, (answering) => chooseAndAnswer(answering, filter));
  const paint = paintFor(shell.stdout, shell);
  const names = lookUpNames(connection.service);
  let count = 0;
  for await (const interaction of pendingOf(connection.service, filter)) {
    count++;
    const line = flags.json ? jsonOf(interaction) : await pendingLine(interaction, paint, names);
    shell.stdout.write(`${line}${flags.json ? '' : paint.dim(`\n   holdpoint answer ${interaction.id}`)}\n`);
  }
  if (count === 0 && !flags.json) shell.stderr.write('no pending requests\n');
  return exitCodes.done;
}

async function byFlags(connection: Connection, interactionId: string, flags: Flags, shell: Shell): Promise<number> {
  const { service } = connection;
  const responder = responderOf(connection, flags);
  const print = printer(flags, shell);
  if (flags.decline) {
    print(await service.declineInteraction({ interactionId, ...responder, ...defined({ reason: flags.reason }) }));
    return exitCodes.done;
  }
  const interaction = await service.getInteraction({ interactionId });
  const values = await givenValues({ service, interactionId }, interaction, flags.value ?? []);
  try {
    print(await service.submitAnswer({ ...shownOf(interaction), values, ...responder }));
  } catch (error) {
    // The messages name the field. Pointers mean nothing to a user who wrote no JSON.
    if (!(error instanceof HoldpointError && error.code === 'invalid-answer')) throw error;
    const listed = (error.fault.problems ?? []).map(({ message }) => `\n  ${oneLine(message)}`);
    throw new ConfigError(`the answer is invalid${listed.join('')}`, { cause: error });
  }
  return exitCodes.done;
}

const printer =
  ({ json }: Flags, { stdout, stderr }: Shell) =>
  (interaction: Interaction): void => {
    const outcome = outcomeOf(interaction);
    if (json) stdout.write(`${jsonOf(outcome)}\n`);
    else if (outcome.status === 'pending') stderr.write('your vote is counted; the request waits for more votes\n');
    else stderr.write(`${outcome.status}\n`);
  };

type PendingFilter = Pick<Parameters<HoldpointService['listInteractions']>[0], 'threadId' | 'assignee'>;

/** Pending requests, oldest first. */
async function* pendingOf(service: HoldpointService, filter: PendingFilter): AsyncGenerator<Interaction> {
  for (let cursor: string | undefined; ; ) {
    const page = { status: 'pending', order: 'oldest', limit: 100 } as const;
    const { data, next } = await service.listInteractions({ ...page, ...filter, ...defined({ cursor }) });
    yield* data;
    if (next === undefined) return;
    cursor = next;
  }
}

/** The title, then its thread, the requester, the responders and the deadline. */
async function pendingLine(interaction: Interaction, paint: Paint, names: Names): Promise<string> {
  const { threadId, kind, title, createdBy, createdAt, deadline } = interaction;
  const thread = oneLine(await names.threads.get(threadId));
  const now = Date.now();
  const about = `${thread}: ${kind} of ${nameOf(createdBy)}, ${span(now - Date.parse(createdAt))} old, for ${awaited(interaction)}`;
  const ends = deadline ? paint.warn(`, ${endOf(deadline, now)}`) : '';
  return `${paint.bold(oneLine(title))}\n   ${paint.dim(about)}${ends}`;
}

/** Fits on one screen. Further requests appear as these are answered. */
const shown = 20;

/** Shows the list and answers the chosen requests, until none is left or the user stops. */
async function chooseAndAnswer(answering: Answering, filter: PendingFilter): Promise<number> {
  const { terminal, connection } = answering;
  const names = lookUpNames(connection.service);
  for (;;) {
    const { list, hasMore } = await firstOf(pendingOf(connection.service, filter));
    if (list.length === 0) {
      terminal.say('No pending requests.');
      return exitCodes.done;
    }
    for (const [index, interaction] of list.entries())
      terminal.say(`${index + 1}. ${await pendingLine(interaction, terminal.paint, names)}`);
    if (hasMore)
      terminal.say(terminal.paint.dim('More requests are pending. List all with "holdpoint answer --list".'));
    const typed = (await terminal.ask('Number of the request, or q to quit > '))?.trim();
    if (typed === undefined || typed === 'q') return exitCodes.done;
    const chosen = list[Number(typed) - 1];
    if (!chosen) {
      terminal.say(terminal.paint.bad(`  Type a number from 1 to ${list.length}, or q.`));
      continue;
    }
    const code = await answerOneKindly(answering, chosen);
    if (code === exitCodes.interrupted) return code;
  }
}

/** An error of one request must not end the command. */
async function answerOneKindly(answering: Answering, interaction: Interaction): Promise<number> {
  try {
    return await answerOne(answering, interaction);
  } catch (error) {
    const isItsOwn =
      error instanceof HoldpointError && /^(interaction|wrong|already|forbidden|version)/.test(error.code);
    if (!isItsOwn) throw error;
    answering.terminal.say(answering.terminal.paint.bad(oneLine(error.message)));
    return exitCodes.failed;
  }
}

async function firstOf(all: AsyncIterable<Interaction>): Promise<{ list: Interaction[]; hasMore: boolean }> {
  const list: Interaction[] = [];
  for await (const interaction of all) {
    if (list.length === shown) return { list, hasMore: true };
    list.push(interaction);
  }
  return { list, hasMore: false };
}

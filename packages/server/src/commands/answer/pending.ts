/** Lists pending requests and lets the user answer them one after another. */
import { defined, HoldpointError, type HoldpointService, type Interaction } from '@holdpoint/protocol';
import { exitCodes } from '../command.ts';
import { awaited, oneLine, type Paint, span } from '../terminal-text.ts';
import { type Answering, answerOne } from './answer-one.ts';

type PendingFilter = Pick<Parameters<HoldpointService['listInteractions']>[0], 'threadId' | 'assignee'>;

/** Pending requests, oldest first. */
export async function* pendingOf(service: HoldpointService, filter: PendingFilter): AsyncGenerator<Interaction> {
  for (let cursor: string | undefined; ; ) {
    const page = { status: 'pending', order: 'oldest', limit: 100 } as const;
    const { data, next } = await service.listInteractions({ ...page, ...filter, ...defined({ cursor }) });
    yield* data;
    if (next === undefined) return;
    cursor = next;
  }
}

export function pendingLine(interaction: Interaction, paint: Paint, now: number): string {
  const { id, kind, title, createdAt, deadline } = interaction;
  const ends = deadline ? paint.warn(`, ${span(Date.parse(deadline.at) - now)} left`) : '';
  const about = `${kind}, ${span(now - Date.parse(createdAt))} old, for ${awaited(interaction)}`;
  return `${paint.bold(oneLine(title))}\n   ${paint.dim(`${id}  ${about}`)}${ends}`;
}

/** Fits on one screen. Further requests appear as these are answered. */
const shown = 20;

/** Shows the list and answers the chosen requests, until none is left or the user stops. */
export async function chooseAndAnswer(answering: Answering, filter: PendingFilter): Promise<number> {
  const { terminal, connection } = answering;
  for (;;) {
    const { list, hasMore } = await firstOf(pendingOf(connection.service, filter));
    if (list.length === 0) {
      terminal.say('No pending requests.');
      return exitCodes.done;
    }
    for (const [index, interaction] of list.entries())
      terminal.say(`${index + 1}. ${pendingLine(interaction, terminal.paint, Date.now())}`);
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

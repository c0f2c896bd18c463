/** The list, and one of it after the other, until nothing is left or the person has had enough. */
import { HoldpointError, type Interaction } from '@holdpoint/protocol';
import { exitCodes } from '../exit-codes.ts';
import { oneLine } from '../shown.ts';
import { type Answering, answerOne } from './answer-one.ts';
import { type PendingFilter, pendingLine, pendingOf } from './pending.ts';

/** As many as fit on a page; the rest comes up as these are answered. */
const shown = 20;

export async function chooseAndAnswer(answering: Answering, filter: PendingFilter): Promise<number> {
  const { terminal, connection } = answering;
  for (;;) {
    const { list, hasMore } = await firstOf(pendingOf(connection.service, filter));
    if (list.length === 0) {
      terminal.say('Nothing waits for an answer.');
      return exitCodes.done;
    }
    for (const [index, interaction] of list.entries())
      terminal.say(`${index + 1}. ${pendingLine(interaction, terminal.paint, Date.now())}`);
    if (hasMore) terminal.say(terminal.paint.dim('and more; "holdpoint answer --list" shows all'));
    const typed = (await terminal.ask('which? (a number, or q to stop) > '))?.trim();
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

/** What one question refuses is no reason to leave the others. */
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

import { defined, type LogEvent, type Run, type Thread, type Turn } from '@holdpoint/protocol';
import { isInput } from '../../domain/dispatch/inputs.ts';
import { isOpen, shownRun } from '../../domain/runs/run.ts';
import { type Operation, turnTopic } from '../context.ts';
import { loadThread } from '../threads.ts';
import { Wait } from '../wait.ts';
import { lastRun } from './runs.ts';

export const waitForTurn: Operation<'waitForTurn'> = (context, caller, input) =>
  new TurnWait(context, caller, input.threadId).result(input);

class TurnWait extends Wait<Turn> {
  protected override topic(): string {
    return turnTopic(this.caller.orgId, this.id);
  }

  protected override async load(): Promise<Turn> {
    const thread = await loadThread(this.context, this.caller, this.id);
    const run = await lastRun(this.context, { orgId: this.caller.orgId, threadId: thread.id });
    const isSettled = run?.status !== 'running' && !(await this.#mayHaveUnread(thread, run));
    return { isSettled, ...defined({ run: run && shownRun(this.caller, run) }) };
  }

  protected override isSettled({ isSettled }: Turn): boolean {
    return isSettled;
  }

  /**
   * Reports whether an input of the log is still to be worked on, also if a long search was not finished. If no run is
   * open, only a message begins one.
   */
  async #mayHaveUnread({ agent, id: threadId }: Thread, run: Run | undefined): Promise<boolean> {
    const { store, searchedLogs } = this.context;
    const { orgId } = this.caller;
    const isWaiting = run !== undefined && isOpen(run);
    if (agent === undefined && !isWaiting) return false;
    const isUnread = (event: LogEvent) =>
      isInput(event, { hasAgent: isWaiting }) && (isWaiting || event.type === 'message.created');
    const log = `${isWaiting ? 'inputs' : 'messages'} ${orgId} ${threadId}`;
    const from = run?.deliveredSeq ?? 0;
    let after = searchedLogs.continueAfter(log, from);
    for (let pages = 0; pages < leastPages || !this.isOver; pages++) {
      const limit = pages === 0 ? firstPageSize : pageSize;
      const { items, next } = await store.readLog({ orgId, threadId, after, limit });
      const unread = items.find(isUnread);
      after = unread ? unread.seq - 1 : (items.at(-1)?.seq ?? after);
      searchedLogs.note(log, { from, upTo: after });
      if (unread) return true;
      if (next === undefined) return false;
    }
    return true;
  }
}

/** A search reads this many pages, 1,816 events, even if its caller waits no longer. */
const leastPages = 10;
const pageSize = 200;
/** The first input is mostly near the beginning. */
const firstPageSize = 16;

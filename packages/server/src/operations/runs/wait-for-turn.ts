import type { Run, Thread, Turn } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { shownRun } from '../../domain/runs/shown-run.ts';
import { isOpen } from '../../domain/runs/transitions.ts';
import { type Context, turnTopic } from '../context.ts';
import { readInputEvents } from '../dispatch/read-inputs.ts';
import { loadThread } from '../load.ts';
import { authorize } from '../perform.ts';
import { Wait, type WaitOptions } from '../wait.ts';
import { lastRun } from './load-run.ts';

export interface TurnInput extends WaitOptions {
  threadId: string;
}

export function waitForTurn(context: Context, caller: Caller, input: TurnInput): Promise<Turn> {
  authorize(caller, 'waitForTurn');
  return new TurnWait(context, caller, input.threadId).result(input);
}

class TurnWait extends Wait<Turn> {
  readonly #caller: Caller;
  readonly #threadId: string;

  constructor(context: Context, caller: Caller, threadId: string) {
    super(context);
    this.#caller = caller;
    this.#threadId = threadId;
  }

  protected override topic(): string {
    return turnTopic(this.#caller.orgId, this.#threadId);
  }

  protected override async load(): Promise<Turn> {
    const { orgId } = this.#caller;
    const thread = await loadThread(this.context, this.#caller, this.#threadId);
    const run = await lastRun(this.context, { orgId, threadId: thread.id });
    const isSettled = run?.status !== 'running' && !(await hasUnread(this.context, orgId, thread, run));
    return { isSettled, ...(run ? { run: shownRun(this.#caller, run) } : {}) };
  }

  protected override isSettled({ isSettled }: Turn): boolean {
    return isSettled;
  }
}

/** Whether an input of the log is still to be worked on. Where no run is open, only a message begins one. */
async function hasUnread(
  { store }: Context,
  orgId: string,
  { id: threadId, agent }: Thread,
  run: Run | undefined,
): Promise<boolean> {
  const isWaiting = run !== undefined && isOpen(run);
  if (agent === undefined && !isWaiting) return false;
  const unread = await readInputEvents(store, {
    ...{ orgId, threadId, hasAgent: isWaiting, onlyMessages: !isWaiting },
    ...{ fromSeq: (run?.deliveredSeq ?? 0) + 1, toSeq: Number.POSITIVE_INFINITY, limit: 1 },
  });
  return unread.length > 0;
}

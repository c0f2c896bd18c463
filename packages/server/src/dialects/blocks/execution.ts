/** Executions of one session: what runs in its thread, read by the native verbs and shown as replies. */
import {
  HoldpointError,
  type HoldpointService,
  type Interaction,
  limits,
  type Message,
  type Run,
  type StopSignal,
  type Turn,
} from '@holdpoint/protocol';
import { firstSeq, type Said, saidSince } from './said-since.ts';
import type { SessionOf } from './session-of.ts';
import { isAskedOf, notBegun, type Reply, toReply } from './to-reply.ts';

/** How long a call waits for its turn to end, unless it says so; who hears that it is still running asks again. */
export const turnMs = 25_000;

export interface Patience {
  timeoutMs: number;
  signal: StopSignal;
}

/** So much of the log is read for one reply. */
const pages = 20;

/** The reply to a message, once its turn has ended or the time is up. */
export async function replyToMessage(
  service: HoldpointService,
  session: SessionOf,
  message: Message,
  patience: Patience,
): Promise<Reply> {
  const turn = await service.waitForTurn({ threadId: session.threadId, ...patience });
  return pendingReply(service, session, message, turn);
}

/** The reply to an answer that the run was given. */
export async function replyOfRun(
  service: HoldpointService,
  session: SessionOf,
  runId: string,
  patience: Patience,
): Promise<Reply> {
  const { isSettled, run } = await service.waitForTurn({ threadId: session.threadId, ...patience });
  if (run?.id === runId) return runReply(service, session, { isSettled, run });
  return runReply(service, session, { isSettled: true, run: await service.getRun({ runId }) });
}

/** How an execution stands now, by the id of its run, or of the message that no run had begun for yet. */
export async function currentReply(service: HoldpointService, session: SessionOf, id: string): Promise<Reply> {
  const turn = await service.waitForTurn({ threadId: session.threadId, timeoutMs: 0 });
  if (turn.run?.id === id) return runReply(service, session, { isSettled: turn.isSettled, run: turn.run });
  const run = await orMissing(service.getRun({ runId: id }));
  if (run) return runReply(service, session, { isSettled: true, run });
  return pendingReply(service, session, await service.getMessage({ messageId: id }), turn);
}

function pendingReply(
  service: HoldpointService,
  session: SessionOf,
  { id, at }: Message,
  { isSettled, run }: Turn,
): Promise<Reply> | Reply {
  const isOlder = run !== undefined && run.endedAt !== undefined && run.createdAt < at;
  if (!run || (isOlder && !isSettled)) return notBegun(id, session.threadId, isSettled);
  return runReply(service, session, { isSettled, run });
}

async function runReply(
  service: HoldpointService,
  session: SessionOf,
  { run, isSettled }: { run: Run; isSettled: boolean },
): Promise<Reply> {
  const said = await readSaid(service, run);
  const question = run.status === 'waiting' && isSettled ? await questionFor(service, session, run) : undefined;
  return toReply({ run, isSettled, said, question });
}

async function readSaid(service: HoldpointService, run: Run): Promise<Said['blocks']> {
  let said: Said = { blocks: [], isOver: false };
  let after = firstSeq(run, limits.pageSize);
  for (let page = 0; page < pages && !said.isOver; page++) {
    const { data, next } = await service.readLog({ threadId: run.threadId, after, limit: limits.pageSize });
    said = saidSince(said, run, data);
    if (next === undefined) break;
    after = Number(next);
  }
  return said.blocks;
}

/** The first of its questions that is put to this person. */
export async function questionFor(
  service: HoldpointService,
  { responderId }: SessionOf,
  { waitingFor = [] }: Run,
  isWanted: (question: Interaction) => boolean = () => true,
): Promise<Interaction | undefined> {
  for (const wait of waitingFor) {
    if (wait.type !== 'interaction') continue;
    const question = await service.getInteraction({ interactionId: wait.interactionId });
    if (isAskedOf(question, responderId) && isWanted(question)) return question;
  }
  return undefined;
}

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HoldpointError && error.code === 'run-not-found') return undefined;
    throw error;
  }
}

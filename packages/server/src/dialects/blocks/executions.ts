/** Reads the executions and the messages of one session with the native verbs, and shows them as replies. */
import {
  type HoldpointService,
  type Interaction,
  type LogEvent,
  limits,
  type Message,
  onFault,
  type Run,
  type StopSignal,
  type Turn,
} from '@holdpoint/protocol';
import { blocksOfMessage, isShownRole, type ShownBlock } from './block-codec.ts';
import { mayAnswer, notBegun, type Reply, toReply } from './request-codec.ts';
import type { Session } from './schemas.ts';

/** Starts one page before the last input of the run, because messages just before a sleep belong to the same reply. */
export const firstSeq = ({ fromSeq, deliveredSeq }: Run, window: number): number =>
  Math.max(fromSeq, deliveredSeq - window) - 1;

export interface Said {
  blocks: ShownBlock[];
  /** The run has ended, so later messages are not its own. */
  isOver: boolean;
}

export function messagesSince(said: Said, run: Run, events: readonly LogEvent[]): Said {
  return events.reduce((before, event) => next(before, run, event), said);
}

function next({ blocks, isOver }: Said, run: Run, event: LogEvent): Said {
  if (isOver) return { blocks, isOver };
  // A repeated run starts after the messages of the first one.
  if (event.type === 'run.started' && isOf(event, run)) return { blocks: [], isOver };
  if (event.seq <= run.deliveredSeq && isByPerson(event)) return { blocks: [], isOver };
  if (ends.has(event.type) && isOf(event, run)) return { blocks, isOver: true };
  const message = spoken(event);
  return { blocks: message ? [...blocks, ...blocksOfMessage(message)] : blocks, isOver };
}

const ends: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled']);

const isOf = ({ data }: LogEvent, { id }: Run): boolean => 'run' in data && data.run.id === id;

function isByPerson({ type, actor, data }: LogEvent): boolean {
  if (type === 'message.created') return data.message.role === 'user';
  return (type === 'interaction.answered' || type === 'interaction.declined') && actor.type === 'human';
}

/** Shows a streamed message only when it is complete. Pollers compare block ids and would keep the incomplete text. */
function spoken({ type, data }: LogEvent): Message | undefined {
  if (type !== 'message.created' && type !== 'message.completed' && type !== 'message.cancelled') return undefined;
  const { message } = data;
  return message.role === 'agent' && message.state !== 'streaming' ? message : undefined;
}

interface Patience {
  timeoutMs: number;
  signal: StopSignal;
}

/** Number of log pages that are read for one reply. */
const pages = 20;

/** The reply to a message, after the end of its turn or after the time limit. */
export async function replyToMessage(session: Session, message: Message, patience: Patience): Promise<Reply> {
  const turn = await session.service.waitForTurn({ threadId: session.threadId, ...patience });
  return pendingReply(session, message, turn);
}

/** The reply to an answer. */
export async function replyOfRun(session: Session, runId: string, patience: Patience): Promise<Reply> {
  const { service, threadId } = session;
  const { isSettled, run } = await service.waitForTurn({ threadId, ...patience });
  if (run?.id === runId) return runReply(session, { isSettled, run });
  return runReply(session, { isSettled: true, run: await service.getRun({ runId }) });
}

/** The current state of an execution, by the id of its run, or of the message if no run had begun. */
export async function currentReply(session: Session, id: string): Promise<Reply> {
  const { service, threadId } = session;
  const turn = await service.waitForTurn({ threadId, timeoutMs: 0 });
  if (turn.run?.id === id) return runReply(session, { isSettled: turn.isSettled, run: turn.run });
  const run = await onFault(
    'run-not-found',
    () => service.getRun({ runId: id }),
    () => undefined,
  );
  if (run) return runReply(session, { isSettled: true, run });
  return pendingReply(session, await service.getMessage({ messageId: id }), turn);
}

function pendingReply(session: Session, { id, at }: Message, { isSettled, run }: Turn): Promise<Reply> | Reply {
  const isOlder = run !== undefined && run.endedAt !== undefined && run.createdAt < at;
  if (!run || (isOlder && !isSettled)) return notBegun(id, session.threadId, isSettled);
  return runReply(session, { isSettled, run });
}

async function runReply(session: Session, { run, isSettled }: { run: Run; isSettled: boolean }): Promise<Reply> {
  const said = await readBlocks(session.service, run);
  const question = run.status === 'waiting' && isSettled ? await questionFor(session, run) : undefined;
  return toReply({ run, isSettled, said, question });
}

async function readBlocks(service: HoldpointService, run: Run): Promise<Said['blocks']> {
  let said: Said = { blocks: [], isOver: false };
  let after = firstSeq(run, limits.pageSize);
  for (let page = 0; page < pages && !said.isOver; page++) {
    const { data, next } = await service.readLog({ threadId: run.threadId, after, limit: limits.pageSize });
    said = messagesSince(said, run, data);
    if (next === undefined) break;
    after = Number(next);
  }
  return said.blocks;
}

/** The first question of the run that this responder may answer. */
export async function questionFor(
  { service, responderId }: Session,
  { waitingFor = [] }: Run,
  isWanted: (question: Interaction) => boolean = () => true,
): Promise<Interaction | undefined> {
  for (const wait of waitingFor) {
    if (wait.type !== 'interaction') continue;
    const question = await service.getInteraction({ interactionId: wait.interactionId });
    if (mayAnswer(question, responderId) && isWanted(question)) return question;
  }
  return undefined;
}

/** The messages of a session, oldest first in each page, newest page first. */
export async function readHistory({ service, threadId }: Session, page: { cursor?: string; limit?: number }) {
  // The turn is read first, so the list contains the message of every execution that is named.
  const turn = await service.waitForTurn({ threadId, timeoutMs: 0 });
  const { data, next } = await service.listMessages({ threadId, order: 'newest', ...page });
  return {
    conversationId: threadId,
    // The execution to poll is known only for the newest page.
    executionId: page.cursor === undefined ? currentExecution(turn, data) : null,
    messages: data.flatMap(toShownMessage).reverse(),
    next: next ?? null,
  };
}

/** Leaves out metadata, which holds notes of agents and of the server, such as why a worker gave up. */
function toShownMessage(message: Message) {
  const { id, role, at, state } = message;
  if (!isShownRole(role) || state === 'streaming') return [];
  const blocks = blocksOfMessage(message, role);
  return blocks.length > 0 ? [{ id, role, createdAt: at, blocks }] : [];
}

/** Until a run begins, the execution has the id of its message, as in a reply. */
function currentExecution({ isSettled, run }: Turn, newestFirst: readonly Message[]): string | null {
  const isOver = run === undefined || run.endedAt !== undefined;
  const waiting = isOver && !isSettled ? newestFirst.find(({ role }) => role === 'user') : undefined;
  return waiting?.id ?? run?.id ?? null;
}

/** How an execution stands, as a reply. */
import type { Interaction, JsonSchema, Run } from '@holdpoint/protocol';
import { expectedSchema } from './expected-input.ts';
import { questionBlocks } from './question-blocks.ts';
import type { ShownBlock } from './to-blocks.ts';
import { toWaitToken } from './wait-token.ts';

export interface Reply {
  executionId: string;
  conversationId: string;
  status: 'running' | 'waiting_input' | 'waiting_time' | 'completed' | 'failed' | 'aborted';
  blocks: ShownBlock[];
  expectedInput: { schema: JsonSchema } | null;
  waitToken: string | null;
  waitExpiresAt: string | null;
}

export interface Standing {
  run: Run;
  /** Whether all that the person has said and answered has been worked on. */
  isSettled: boolean;
  said: ShownBlock[];
  /** The question that is put to the person now. */
  question?: Interaction | undefined;
}

const nothingAwaited = { expectedInput: null, waitToken: null, waitExpiresAt: null };

export function toReply({ run, isSettled, said, question }: Standing): Reply {
  const reply = { executionId: run.id, conversationId: run.threadId, blocks: said };
  if (run.status === 'waiting' && isSettled) {
    if (question) return { ...reply, ...awaiting(question), blocks: [...said, ...questionBlocks(question)] };
    if (run.waitingFor?.some(({ type }) => type === 'message')) return { ...reply, ...awaitingMessage(run) };
  }
  const isBusy = run.status === 'waiting' && !isSettled;
  return { ...reply, status: isBusy ? 'running' : statuses[run.status], ...nothingAwaited };
}

/** A run that waits without a question for this person waits for a time, or for somebody else. */
const statuses: Record<Run['status'], Reply['status']> = {
  running: 'running',
  waiting: 'waiting_time',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'aborted',
};

const awaiting = (question: Interaction): Omit<Reply, 'executionId' | 'conversationId' | 'blocks'> => ({
  status: 'waiting_input',
  expectedInput: { schema: expectedSchema(question) },
  waitToken: toWaitToken({ interactionId: question.id }),
  waitExpiresAt: question.deadline?.at ?? null,
});

/** The next message can be sent either way: as a resume with a text, or as a message. */
const awaitingMessage = ({ deliveredSeq }: Run): Omit<Reply, 'executionId' | 'conversationId' | 'blocks'> => ({
  status: 'waiting_input',
  expectedInput: { schema: messageSchema },
  waitToken: toWaitToken({ afterSeq: deliveredSeq }),
  waitExpiresAt: null,
});

export const textLength = 4_000;

const messageSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { text: { type: 'string', minLength: 1, maxLength: textLength } },
  required: ['text'],
  additionalProperties: false,
};

/** What was said has reached no run yet: it is named by the message until one is begun. */
export const notBegun = (messageId: string, threadId: string, isSettled: boolean): Reply => ({
  executionId: messageId,
  conversationId: threadId,
  status: isSettled ? 'completed' : 'running',
  blocks: [],
  ...nothingAwaited,
});

/** Whether it is put to this person. What is put to somebody else is theirs to answer. */
export const isAskedOf = ({ status, responder, votes }: Interaction, responderId: string): boolean =>
  status === 'pending' &&
  (responder.type === 'human' || responder.type === 'any') &&
  (responder.assignees?.includes(responderId) ?? true) &&
  !votes.some(({ by }) => by.type === 'human' && by.id === responderId);

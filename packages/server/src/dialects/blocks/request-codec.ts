/** Reads messages and telemetry, and shows the state of an execution as a reply. */
import {
  checkJson,
  checkVariables,
  defined,
  type Interaction,
  isTimestamp,
  type JsonSchema,
  limits,
  type Problem,
  type RecordTelemetry,
  type Run,
  type Thread,
  type Write,
} from '@holdpoint/protocol';
import { refuseProblems } from '../pointers.ts';
import { expectedSchema, toWaitToken } from './answer-codec.ts';
import { questionBlocks, type ShownBlock } from './block-codec.ts';
import { refuse } from './fault-codec.ts';
import { type Session, type Telemetry, type Trigger, textLength } from './schemas.ts';

/** Context and variables together stay below the limit of metadata. */
const contextBytes = limits.jsonBytes / 2;

export async function postTrigger(
  { service, threadId }: Session,
  { text, intentName, context, variables }: Trigger,
  write: Write,
) {
  const bounds = { maxBytes: contextBytes, maxDepth: limits.jsonDepth };
  refuseProblems([...checkVariables(variables), ...checkJson(context ?? {}, bounds, '/context')]);
  checkIntent(await service.getThread({ threadId }), intentName);
  const metadata = defined({ intent: intentName, context, variables });
  const isPlain = Object.keys(metadata).length === 0;
  return service.postMessage({ threadId, text, ...(isPlain ? {} : { metadata }), ...write });
}

/** Checks the intents that the key had when the session was opened. */
function checkIntent({ agent, metadata }: Thread, intentName: string | undefined): void {
  if (agent === undefined) refuse('intent_not_matched', 'This conversation no longer accepts messages.');
  const { intents } = (metadata?.session ?? {}) as { intents?: unknown };
  if (intentName === undefined || !Array.isArray(intents) || intents.includes(intentName)) return;
  refuse('intent_not_allowed', `The widget has no intent ${intentName}.`);
}

/** Records all events, or none if one is invalid. */
export async function recordAll(
  { service, threadId }: Session,
  events: readonly { event: Telemetry; at: string }[],
): Promise<{ accepted: number; duplicates: number }> {
  refuseProblems(events.flatMap(({ event, at }) => problemsOf(event, at)));
  const recorded = await Promise.all(
    events.map(({ event }) => service.recordTelemetry({ threadId, ...toTelemetry(event) })),
  );
  const duplicates = recorded.filter(({ isRepeated }) => isRepeated).length;
  return { accepted: recorded.length - duplicates, duplicates };
}

function problemsOf({ props = {}, timestamp }: Telemetry, at: string): Problem[] {
  const bounds = { maxBytes: limits.telemetryBytes, maxDepth: limits.jsonDepth };
  const isOdd = typeof timestamp === 'string' && !isTimestamp(timestamp);
  return [
    ...checkJson(props, bounds, `${at}/props`),
    ...(isOdd ? [{ pointer: `${at}/timestamp`, code: 'format', message: 'Send an RFC 3339 date-time.' }] : []),
  ];
}

function toTelemetry({ timestamp, ...event }: Telemetry): RecordTelemetry {
  if (timestamp === undefined) return event;
  return { ...event, at: typeof timestamp === 'number' ? new Date(timestamp).toISOString() : timestamp };
}

export interface Reply {
  executionId: string;
  conversationId: string;
  status: 'running' | 'waiting_input' | 'waiting_time' | 'completed' | 'failed' | 'aborted';
  blocks: ShownBlock[];
  expectedInput: { schema: JsonSchema } | null;
  waitToken: string | null;
  waitExpiresAt: string | null;
}

interface Execution {
  run: Run;
  /** True if the agent has handled all messages and answers. */
  isSettled: boolean;
  said: ShownBlock[];
  /** The question that this person is asked now. */
  question: Interaction | undefined;
}

const nothingAwaited = { expectedInput: null, waitToken: null, waitExpiresAt: null };

export function toReply({ run, isSettled, said, question }: Execution): Reply {
  const reply = { executionId: run.id, conversationId: run.threadId, blocks: said };
  if (run.status === 'waiting' && isSettled) {
    if (question) {
      const { id, deadline } = question;
      const waiting = awaiting(expectedSchema(question), toWaitToken({ interactionId: id }), deadline?.at);
      return { ...reply, ...waiting, blocks: [...said, ...questionBlocks(question)] };
    }
    // The next message can be sent as a resume with a text, or as a message.
    if (run.waitingFor?.some(({ type }) => type === 'message'))
      return { ...reply, ...awaiting(messageSchema, toWaitToken({ afterSeq: run.deliveredSeq })) };
  }
  const isBusy = run.status === 'waiting' && !isSettled;
  return { ...reply, status: isBusy ? 'running' : statuses[run.status], ...nothingAwaited };
}

/** A waiting run without a question for this person waits for a time, or for another responder. */
const statuses: Record<Run['status'], Reply['status']> = {
  running: 'running',
  waiting: 'waiting_time',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'aborted',
};

const awaiting = (schema: JsonSchema, waitToken: string, waitExpiresAt: string | null = null) => ({
  status: 'waiting_input' as const,
  expectedInput: { schema },
  waitToken,
  waitExpiresAt,
});

const messageSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { text: { type: 'string', minLength: 1, maxLength: textLength } },
  required: ['text'],
  additionalProperties: false,
};

/** No run has begun yet. Until then the execution has the id of the message. */
export const notBegun = (messageId: string, threadId: string, isSettled: boolean): Reply => ({
  executionId: messageId,
  conversationId: threadId,
  status: isSettled ? 'completed' : 'running',
  blocks: [],
  ...nothingAwaited,
});

/** Reports whether this person may still answer the question. */
export const mayAnswer = ({ status, responder, votes }: Interaction, responderId: string): boolean =>
  status === 'pending' &&
  (responder.type === 'human' || responder.type === 'any') &&
  (responder.assignees?.includes(responderId) ?? true) &&
  !votes.some(({ by }) => by.type === 'human' && by.id === responderId);

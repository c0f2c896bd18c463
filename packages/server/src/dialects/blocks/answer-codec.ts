/** Reads a resume as the answer to a question, or as the next message, and describes the values it takes. */
import {
  codePoints,
  defined,
  type FreeObject,
  fail,
  fieldsToJsonSchema,
  type JsonSchema,
  onFault,
  type Question,
  type Run,
  type Write,
} from '@holdpoint/protocol';
import { payloadName } from '../proposed-secrets.ts';
import { refuse, refuseToken } from './fault-codec.ts';
import { type Resume, type Session, textLength } from './schemas.ts';

export function expectedSchema(question: Question): JsonSchema {
  const { fields, payloadSchema } = question;
  if (payloadSchema && fields.length === 0) return payloadSchema;
  const schema = fieldsToJsonSchema(fields);
  const name = payloadName(question);
  if (name === undefined) return schema;
  return { ...schema, properties: { ...(schema.properties as object), [name]: payloadSchema } };
}

/** If a question has only a payloadSchema, the values are the payload. */
export function toAnswer(question: Question, sent: FreeObject): { values: FreeObject; payload?: unknown } {
  if (question.payloadSchema && question.fields.length === 0) return { values: {}, payload: sent };
  const name = payloadName(question);
  if (name === undefined) return { values: sent };
  const { [name]: payload, ...values } = sent;
  return { values, ...defined({ payload }) };
}

/** The wait token of a reply names a question, which closes once, or the position of the next message. */
type Awaited = { interactionId: string } | { afterSeq: number };

export const toWaitToken = (awaited: Awaited): string =>
  'interactionId' in awaited ? `question.${awaited.interactionId}` : `message.${awaited.afterSeq}`;

export function readWaitToken(token: string): Awaited | undefined {
  const [, type, rest = ''] = /^(question|message)\.(.{1,256})$/s.exec(token) ?? [];
  if (type === 'question') return { interactionId: rest };
  return type === 'message' && /^\d{1,15}$/.test(rest) ? { afterSeq: Number(rest) } : undefined;
}

/** Answers the question or posts the message, and returns the run. */
export async function resume(session: Session, { waitToken, executionId, values }: Resume, write: Write): Promise<Run> {
  const { service } = session;
  const run = await service.getRun({ runId: executionId });
  if (run.status === 'cancelled') refuse('execution_aborted', 'The execution was aborted.');
  const awaited = readWaitToken(waitToken);
  if (!awaited) return refuseToken();
  if ('afterSeq' in awaited) await say(session, run, awaited.afterSeq, values);
  else {
    const { interactionId } = awaited;
    const question = await service.getInteraction({ interactionId });
    const isAwaited = run.waitingFor?.some((wait) => 'interactionId' in wait && wait.interactionId === interactionId);
    if (!isAwaited && question.run?.id !== run.id) refuseToken();
    await service.submitAnswer({ interactionId, ...toAnswer(question, values), ...write });
  }
  return run;
}

/**
 * Callers cannot send a key with a space, so the key never equals one of theirs. The random metadata makes two resumes with
 * the same text differ, so that the token works for one of them.
 */
async function say({ service, threadId }: Session, run: Run, afterSeq: number, values: FreeObject): Promise<void> {
  const isAwaited = run.status === 'waiting' && run.waitingFor?.some(({ type }) => type === 'message');
  if (!isAwaited || run.deliveredSeq !== afterSeq) refuseToken();
  const text = readText(values);
  const metadata = { resume: crypto.randomUUID() };
  const message = { threadId, text, metadata, idempotencyKey: `wait ${run.id} ${afterSeq}` };
  await onFault('idempotency-key-reused', () => service.postMessage(message), refuseToken);
}

function readText({ text, ...others }: FreeObject): string {
  const at = (name: string, code: string, message: string) => ({ pointer: `/values/${name}`, code, message });
  const problems = [
    ...(typeof text === 'string' && text.trim() !== '' && codePoints(text) <= textLength
      ? []
      : [at('text', 'required', `Send a text of at most ${textLength} characters.`)]),
    ...Object.keys(others).map((name) => at(name, 'unknown', 'This value does not exist.')),
  ];
  if (problems.length > 0) fail('invalid-answer', 'The values are invalid.', { problems });
  return text as string;
}

/** A tool call's result as an answer: how clients hand values to a run without knowing the request. */
import type { ScalarValues } from '@holdpoint/mcp';
import {
  defined,
  fail,
  HoldpointError,
  type HoldpointService,
  type Interaction,
  isInputField,
  isObject,
  limits,
} from '@holdpoint/protocol';
import { findByToolCall } from './find-by-tool-call.ts';
import { type Answering, inNameOf } from './in-name-of.ts';
import { isSameAnswer, isSameDecline } from './is-same.ts';
import { tellingWhoIsLate } from './telling-who-is-late.ts';
import { toAnswer } from './to-answer.ts';
import { isUuid } from './uuid.ts';

export interface ToolResult {
  runId: string;
  toolCallId: string;
  result?: unknown;
  isError?: boolean;
}

export async function resumeRun(service: HoldpointService, caller: Answering, sent: ToolResult) {
  const asked = await findAsked(service, sent);
  const { id: interactionId, status } = asked;
  // Of one result the repetition is known by its key, and of another it is refused. No caller can send a space in a key.
  const write = { interactionId, ...inNameOf(caller, asked), idempotencyKey: `input-request-resume ${interactionId}` };
  const outcome = readResult(asked, sent);
  const done = outcome.isDeclined
    ? service.declineInteraction({ ...write, ...defined({ reason: outcome.reason || undefined }) })
    : service.submitAnswer({ ...write, ...toAnswer(asked, outcome.values) });
  const isRepeated = await tellingWhoIsLate(
    service,
    interactionId,
    done.then(
      () => status !== 'pending',
      (error) => repeatedByOther(service, interactionId, outcome, error),
    ),
  );
  return { accepted: true, ...defined({ duplicate: isRepeated || undefined }) };
}

/** The same result from another key of the org is the same result. */
async function repeatedByOther(
  service: HoldpointService,
  interactionId: string,
  outcome: Outcome,
  error: unknown,
): Promise<true> {
  if (!(error instanceof HoldpointError) || error.code !== 'idempotency-key-reused') throw error;
  const found = await service.getInteraction({ interactionId });
  const isSame = outcome.isDeclined
    ? isSameDecline(found, outcome.reason)
    : isSameAnswer(found, toAnswer(found, outcome.values));
  return isSame || fail(error.code, 'This tool call was resumed with something else before.');
}

/** The ids of a run are unique in a conversation only, and of two conversations nobody can tell which is meant. */
async function findAsked(service: HoldpointService, { runId, toolCallId }: ToolResult): Promise<Interaction> {
  const found = await findByToolCall(service, { runId, toolCallId });
  if (new Set(found.map(({ threadId }) => threadId)).size > 1)
    fail(
      'idempotency-key-reused',
      'This tool call of this run has asked in more than one conversation; respond to the input request by its id.',
    );
  const asked = found.find(({ status }) => status === 'pending') ?? found[0];
  if (asked) return asked;
  // One that was asked without a run goes by its own id as both.
  if (runId === toolCallId && isUuid(runId)) {
    const named = await service.getInteraction({ interactionId: runId });
    if (!named.run) return named;
  }
  return fail('interaction-not-found', 'There is no such input request.');
}

type Outcome = { isDeclined: true; reason?: string } | { isDeclined: false; values: ScalarValues };

/** The values themselves, or {submitted, values} as clients there write a form's result. */
function readResult({ fields }: Interaction, { result, isError = false }: ToolResult): Outcome {
  if (isError) return { isDeclined: true, ...reasonIn(result) };
  if (!isObject(result)) {
    const problem = { pointer: '/result', code: 'type', message: 'Send an object, one property for each field.' };
    return fail('invalid-input', `/result: ${problem.message}`, { problems: [problem] });
  }
  const hasOwnField = fields.some((field) => isInputField(field) && field.name === 'submitted');
  if (result.submitted === false && !hasOwnField) return { isDeclined: true };
  return { isDeclined: false, values: (isObject(result.values) ? result.values : result) as ScalarValues };
}

function reasonIn(result: unknown): { reason?: string } {
  const said = isObject(result) && typeof result.message === 'string' ? result.message : result;
  const text = typeof said === 'string' ? said : said === undefined ? '' : JSON.stringify(said);
  return text.trim() === '' ? {} : { reason: text.slice(0, limits.reasonLength).toWellFormed() };
}

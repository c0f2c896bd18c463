/** The five verbs of the input requests, made of ours: translation, and no rule. */
import { createHash } from 'node:crypto';
import type { CreateInputRequest, InputRequestPlace, InputRequests, ListInputRequests } from '@holdpoint/mcp';
import {
  CreateInteractionSchema,
  checkShape,
  defined,
  fail,
  HoldpointError,
  type HoldpointService,
  type Interaction,
  sentenceOf,
} from '@holdpoint/protocol';
import { moved, rewording } from '../places.ts';
import { proposedSecrets } from '../proposed-secrets.ts';
import { findByToolCall } from './find-by-tool-call.ts';
import { type Answering, inNameOf } from './in-name-of.ts';
import { inTheirWords } from './in-their-words.ts';
import { isSameQuestion } from './is-same.ts';
import { listByStatus } from './list-by-status.ts';
import { optionPlace, unreadableOptions } from './option.ts';
import { tellingWhoIsLate } from './telling-who-is-late.ts';
import { toAnswer } from './to-answer.ts';
import { toInputRequest } from './to-input-request.ts';
import { toInteraction } from './to-interaction.ts';
import { isUuid } from './uuid.ts';

export function inputRequestsOf(service: HoldpointService, caller: Answering): InputRequests {
  return {
    create: (input) => inTheirWords(whereOptionsAre(input.fields, () => create(service, input))),
    list: (input) => inTheirWords(list(service, input)),
    get: (input) => inTheirWords(find(service, input).then(toInputRequest)),
    submit: (input, write = {}) =>
      inTheirWords(
        find(service, input).then(async (asked) => {
          const { id: interactionId } = asked;
          const answer = { ...toAnswer(asked, input.values), ...inNameOf(caller, asked) };
          const answered = service.submitAnswer({ interactionId, ...answer, ...write });
          const answeredInTime = await tellingWhoIsLate(service, interactionId, answered);
          return { success: true, input_request: toInputRequest(answeredInTime) };
        }),
      ),
    cancel: (input, write = {}) =>
      inTheirWords(
        find(service, input).then(async ({ id: interactionId }) => {
          const cancelled = service.cancelInteraction({ interactionId, ...write });
          return toInputRequest(await tellingWhoIsLate(service, interactionId, cancelled));
        }),
      ),
  };
}

const whereOptionsAre = <T>(fields: CreateInputRequest['fields'], call: () => Promise<T>): Promise<T> =>
  rewording((fault) => moved(fault, (at) => optionPlace(fields, at)), call);

async function create(service: HoldpointService, input: CreateInputRequest) {
  const { conversation_id: threadId, run_id: runId, tool_call_id: toolCallId } = input;
  knowConversation(threadId);
  const asked = toInteraction(input);
  const problems = [
    ...proposedSecrets(input.fields, '/original/sent/fields'),
    ...unreadableOptions(input.fields, '/original/sent/fields'),
    ...checkShape(CreateInteractionSchema, asked),
  ];
  if (problems.length > 0) fail('invalid-input', sentenceOf(problems), { problems });
  try {
    const idempotencyKey = keyOf(threadId, runId, toolCallId);
    return toInputRequest(await service.createInteraction({ threadId, ...asked, idempotencyKey }));
  } catch (error) {
    if (!(error instanceof HoldpointError) || error.code !== 'idempotency-key-reused') throw error;
    const found = await findByToolCall(service, { threadId, runId, toolCallId });
    const same = found.find((interaction) => isSameQuestion(interaction, asked));
    if (same) return toInputRequest(same);
    const [earlier] = found;
    return fail('idempotency-key-reused', 'This tool call of this run has asked for something else before.', {
      ...defined({ current: earlier ? { input_request: toInputRequest(earlier) } : undefined }),
    });
  }
}

/** A digest, because the ids may be long; after a space, which no caller can send in a key. */
function keyOf(...ids: string[]): string {
  return `input-request ${createHash('sha256').update(JSON.stringify(ids)).digest('hex')}`;
}

async function list(service: HoldpointService, input: ListInputRequests) {
  const { conversation_id: threadId, cursor } = input;
  knowConversation(threadId);
  await service.getThread({ threadId });
  const { data, next } = await listByStatus(service, input);
  return {
    data: data.map(toInputRequest),
    page_info: { self: cursor ?? null, first: null, next: next ?? null, prev: null },
  };
}

async function find(service: HoldpointService, place: InputRequestPlace): Promise<Interaction> {
  const { conversation_id: threadId, input_request_id: interactionId } = place;
  const found = isUuid(threadId) && isUuid(interactionId) ? await service.getInteraction({ interactionId }) : undefined;
  return found?.threadId === threadId ? found : fail('interaction-not-found', 'There is no such input request.');
}

function knowConversation(threadId: string): void {
  if (!isUuid(threadId)) fail('thread-not-found', 'There is no such conversation.');
}

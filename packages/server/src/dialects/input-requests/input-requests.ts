/** The five verbs of input requests, translated into native verbs. They have no rules of their own. */

import { createHash } from 'node:crypto';
import type {
  CreateInputRequest,
  InputRequestPlace,
  InputRequestStatus,
  InputRequests,
  ListInputRequests,
} from '@holdpoint/mcp';
import {
  CreateInteractionSchema,
  checkShape,
  defined,
  type Fault,
  fail,
  type HoldpointService,
  type Interaction,
  type InteractionFilter,
  onFault,
  type Status,
} from '@holdpoint/protocol';
import { gatherPage } from '../gather-page.ts';
import { movePointers, refuseProblems, translateFault } from '../pointers.ts';
import { proposedSecrets } from '../proposed-secrets.ts';
import { type Answering, responderOf, toAnswer } from './answer-codec.ts';
import { translateFaults, withCurrentRequest } from './fault-codec.ts';
import { optionPointer, unreadableOptions } from './field-codec.ts';
import { isSameQuestion, statusOf, toInputRequest, toInteraction, toolCallIdOf } from './request-codec.ts';

/** Ids of conversations and input requests are UUIDs. Any other id is not found. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text);

/** Finds the interactions that a tool call of a run created, newest first, in the newest pages of the run. */
export async function findByToolCall(
  service: HoldpointService,
  { toolCallId, ...filter }: Pick<InteractionFilter, 'threadId'> & { runId: string; toolCallId: string },
): Promise<Interaction[]> {
  const { data } = await gatherPage(
    (from) => service.listInteractions({ ...filter, order: 'newest', ...from }),
    (interaction) => toolCallIdOf(interaction) === toolCallId,
    { limit: Number.POSITIVE_INFINITY },
  );
  return data;
}

/** The native status to list. A declined question is answered natively and cancelled here, so some need a second check. */
const ours: Record<InputRequestStatus, Status | undefined> = {
  open: 'pending',
  submitted: 'answered',
  cancelled: undefined,
  expired: 'expired',
};

export function inputRequestsOf(service: HoldpointService, caller: Answering): InputRequests {
  const change = (place: InputRequestPlace, work: (asked: Interaction) => Promise<Interaction>) =>
    translateFaults(
      find(service, place).then(async (asked) =>
        toInputRequest(await withCurrentRequest(service, asked.id, work(asked))),
      ),
    );
  return {
    create: (input) => {
      const toOption = (fault: Fault) => movePointers(fault, (at) => optionPointer(input.fields, at));
      return translateFaults(translateFault(toOption, () => create(service, input)));
    },
    list: (input) => translateFaults(list(service, input)),
    get: (input) => translateFaults(find(service, input).then(toInputRequest)),
    async submit(input, write = {}) {
      const input_request = await change(input, (asked) =>
        service.submitAnswer({
          interactionId: asked.id,
          ...toAnswer(asked, input.values),
          ...responderOf(caller, asked),
          ...write,
        }),
      );
      return { success: true, input_request };
    },
    cancel: (input, write = {}) =>
      change(input, ({ id }) => service.cancelInteraction({ interactionId: id, ...write })),
  };
}

async function create(service: HoldpointService, input: CreateInputRequest) {
  const { conversation_id: threadId, run_id: runId, tool_call_id: toolCallId } = input;
  requireConversationId(threadId);
  const asked = toInteraction(input);
  refuseProblems([
    ...proposedSecrets(input.fields, '/original/sent/fields'),
    ...unreadableOptions(input.fields, '/original/sent/fields'),
    ...checkShape(CreateInteractionSchema, asked),
  ]);
  // A digest, because the ids may be long. The space keeps it apart from keys that callers send.
  const digest = createHash('sha256')
    .update(JSON.stringify([threadId, runId, toolCallId]))
    .digest('hex');
  const idempotencyKey = `input-request ${digest}`;
  const ask = () => service.createInteraction({ threadId, ...asked, idempotencyKey });
  const interaction = await onFault('idempotency-key-reused', ask, async ({ code }) => {
    const found = await findByToolCall(service, { threadId, runId, toolCallId });
    const same = found.find((one) => isSameQuestion(one, asked));
    if (same) return same;
    const [earlier] = found;
    return fail(code, 'This tool call of this run already asked another question.', {
      ...defined({ current: earlier && { input_request: toInputRequest(earlier) } }),
    });
  });
  return toInputRequest(interaction);
}

async function list(
  service: HoldpointService,
  { conversation_id: threadId, status, run_id: runId, cursor, limit = 50 }: ListInputRequests,
) {
  requireConversationId(threadId);
  await service.getThread({ threadId });
  const filter = { threadId, ...defined({ status: status && ours[status], runId }) };
  const { data, next } = await gatherPage(
    (from) => service.listInteractions({ ...filter, ...from }),
    (interaction) => status === undefined || statusOf(interaction) === status,
    { limit, cursor },
  );
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

function requireConversationId(threadId: string): void {
  if (!isUuid(threadId)) fail('thread-not-found', 'There is no such conversation.');
}

/** Renders faults about conversations and input requests, with pointers into the request. */

import { type Refusal, toRefusal } from '@holdpoint/mcp';
import {
  errorTable,
  type Fault,
  HoldpointError,
  type HoldpointService,
  type Interaction,
  sentenceOf,
} from '@holdpoint/protocol';
import { movePointers, type PointerRules, translateFault } from '../pointers.ts';
import { toInputRequest } from './request-codec.ts';

/** From pointers into our question to pointers into the request. */
const places: PointerRules = [
  [/^\/original\/sent(?=\/)/, ''],
  [/^\/original(\/.*)?$/, '/fields'],
  [/^\/deadline(\/.*)?$/, '/expires_at'],
  [/^\/body$/, '/description'],
  [/^\/run\/id$/, '/run_id'],
  [/^\/run\/toolCallId$/, '/tool_call_id'],
  [/^\/responder(\/.*)?$/, '/requested_responder_type'],
  [/^\/submitLabel$/, '/metadata/submitLabel'],
  [/^\/payload(\/.*)?$/, '/values/payload'],
  [/^(\/fields\/\d+)\/default$/, '$1/defaultValue'],
  [/^(\/fields\/\d+)\/customType$/, '$1/type'],
];

const sentences: Partial<Record<Fault['code'], string>> = {
  'thread-not-found': 'There is no such conversation.',
  'thread-exists': 'A conversation with this id already exists.',
  'interaction-not-found': 'There is no such input request.',
};

/** Awaits native verbs, and translates their faults. */
export const translateFaults = <T>(work: Promise<T>): Promise<T> => translateFault(translate, () => work);

function translate(fault: Fault): Fault {
  const { code, detail } = fault;
  const { problems } = movePointers(fault, places);
  if (!problems) return { ...fault, detail: sentences[code] ?? detail.replace(/^The interaction\b/, 'The request') };
  return { ...fault, problems, detail: code === 'invalid-input' ? sentenceOf(problems) : detail };
}

/** Runs an operation. On 409, adds the current input request to the error. */
export async function withCurrentRequest<T>(
  service: HoldpointService,
  interactionId: string,
  work: Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HoldpointError) || errorTable[error.code].status !== 409) throw error;
    const found = await service.getInteraction({ interactionId });
    const input_request = toInputRequest(error.code === 'interaction-expired' ? asExpired(found) : found);
    throw new HoldpointError({ ...error.fault, current: { input_request } });
  }
}

/** A call may be rejected for the deadline just before the timer stores the expiry. */
function asExpired(found: Interaction): Interaction {
  const { status, deadline } = found;
  if (status !== 'pending' || deadline?.outcome !== 'expire') return found;
  return { ...found, status: 'expired', closedAt: deadline.at };
}

/** Renders a fault as the tools do. */
export const renderFault = (fault: Fault): { status: number; body: Refusal } => ({
  status: errorTable[fault.code].status,
  body: toRefusal(fault),
});

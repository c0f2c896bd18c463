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
import { moved, type Places, placeOf, rewording } from '../pointers.ts';
import { toInputRequest } from './request-codec.ts';

/** The places of our question, and the places they were sent at. */
const places: Places = [
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
  'thread-exists': 'There is a conversation with this id already.',
  'interaction-not-found': 'There is no such input request.',
};

/** Awaits what our verbs do, and says a refusal as whoever speaks this dialect would. */
export const inTheirWords = <T>(work: Promise<T>): Promise<T> => rewording(reworded, () => work);

function reworded(fault: Fault): Fault {
  const { code, detail } = fault;
  const { problems } = moved(fault, (ours) => placeOf(ours, places));
  if (!problems) return { ...fault, detail: sentences[code] ?? detail.replace(/^The interaction\b/, 'The request') };
  return { ...fault, problems, detail: code === 'invalid-input' ? sentenceOf(problems) : detail };
}

/** Does something to an interaction; who comes too late, or second, is told how it stands by now. */
export async function tellingWhoIsLate<T>(
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

/** Who is refused because the time is up may come a moment before the timer that writes it down. */
function asExpired(found: Interaction): Interaction {
  const { status, deadline } = found;
  if (status !== 'pending' || deadline?.outcome !== 'expire') return found;
  return { ...found, status: 'expired', closedAt: deadline.at };
}

/** A refusal of a call, in the words in which a tool refuses. */
export const renderFault = (fault: Fault): { status: number; body: Refusal } => ({
  status: errorTable[fault.code].status,
  body: toRefusal(fault),
});

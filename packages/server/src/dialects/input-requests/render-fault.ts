import { type Refusal, toRefusal } from '@holdpoint/mcp';
import { errorTable, type Fault } from '@holdpoint/protocol';

/** A refusal of a call, in the words in which a tool refuses. */
export const renderFault = (fault: Fault): { status: number; body: Refusal } => ({
  status: errorTable[fault.code].status,
  body: toRefusal(fault),
});

/** An interrupt of any AG-UI agent as a question, and its end as what the agent is resumed with. */
import type { Interrupt, Message, ResumeEntry } from '@ag-ui/core';
import {
  approval,
  defined,
  type FreeObject,
  type Interaction,
  input,
  isObject,
  outcomeOf,
  type ReadingOptions,
  textarea,
} from '@holdpoint/protocol';
import type { Question } from '../shared/ask-once.ts';
import { editableArguments } from '../shared/editable-arguments.ts';
import { readApproval } from '../shared/read-approval.ts';
import { deadlineAt, shownOf, wordsOf } from '../shared/shown.ts';
import { tellOutcome } from '../shared/tell-outcome.ts';

/** How the answer goes back: as values, as a payload of the agent's schema, as a text, or as yes and no. */
type Form = 'values' | 'payload' | 'text' | 'approved' | 'boolean';

export function questionOf(interrupt: Interrupt, messages: readonly Message[] = []): Question {
  const { message, reason, expiresAt } = interrupt;
  const deadline = deadlineAt(expiresAt);
  const words = { ...wordsOf(message ?? '', reason), ...deadline };
  switch (formOf(interrupt)) {
    case 'values':
      return { ...shownOf(interrupt.metadata?.holdpoint as FreeObject), ...deadline };
    case 'payload':
      return { ...words, kind: 'form', payloadSchema: interrupt.responseSchema as FreeObject };
    case 'text':
      return input(textarea(), words);
    case 'boolean':
    case 'approved': {
      const args = argumentsOf(interrupt, messages);
      const fields = mayEdit(interrupt) ? editableArguments(args) : {};
      return approval({ ...words, ...defined({ arguments: Object.keys(args).length > 0 ? args : undefined }), fields });
    }
  }
}

/** `metadata.holdpoint` says how it ended, also where AG-UI only has a word for an answer and for none. */
export function resumeOf(
  interrupt: Interrupt,
  closed: Interaction,
  { now = new Date(), ...reading }: ReadingOptions & { now?: Date } = {},
): ResumeEntry {
  const { id: interruptId, expiresAt } = interrupt;
  const outcome = outcomeOf<FreeObject>(closed, reading);
  const metadata = { holdpoint: { interactionId: closed.id, ...tellOutcome(outcome) } };
  const form = formOf(interrupt);
  const isVerdict = form === 'approved' || form === 'boolean';
  // AG-UI takes no answer after the time of an interrupt, not even one that was given before it.
  const isLate = expiresAt !== undefined && new Date(expiresAt) <= now;
  const isSaid = outcome.status === 'answered' || (isVerdict && outcome.status === 'declined');
  if (isLate || !isSaid) return { interruptId, status: 'cancelled', metadata };
  return { interruptId, status: 'resolved', payload: payloadOf(), metadata };

  function payloadOf(): unknown {
    const { approved, arguments: editedArgs, edited } = readApproval(outcome);
    if (form === 'boolean') return approved;
    if (form === 'approved')
      return { approved, ...defined({ editedArgs: approved && edited ? editedArgs : undefined }) };
    if (form === 'payload') return closed.answer?.payload;
    return form === 'text' ? closed.answer?.values.text : closed.answer?.values;
  }
}

function formOf({ reason, responseSchema, metadata }: Interrupt): Form {
  if (isObject(metadata?.holdpoint) && typeof metadata.holdpoint.title === 'string')
    return metadata.holdpoint.payloadSchema ? 'payload' : 'values';
  if (propertiesOf(responseSchema)?.approved !== undefined) return 'approved';
  if (responseSchema?.type === 'boolean') return 'boolean';
  if (responseSchema) return 'payload';
  if (reason === 'tool_call') return 'approved';
  return reason === 'confirmation' ? 'boolean' : 'text';
}

const propertiesOf = (schema: Interrupt['responseSchema']): FreeObject | undefined =>
  isObject(schema?.properties) ? schema.properties : undefined;

const mayEdit = ({ responseSchema }: Interrupt): boolean => propertiesOf(responseSchema)?.editedArgs !== undefined;

function argumentsOf({ toolCallId }: Interrupt, messages: readonly Message[]): FreeObject {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  const call = calls.find(({ id }) => id === toolCallId);
  if (!call) return {};
  try {
    const args: unknown = JSON.parse(call.function.arguments);
    return isObject(args) ? args : { arguments: args };
  } catch {
    return { arguments: call.function.arguments };
  }
}

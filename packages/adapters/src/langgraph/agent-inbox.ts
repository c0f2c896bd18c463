/** Turns a HumanInterrupt of Agent Inbox into an approval, and its outcome into a HumanResponse. */
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
import type { HumanInterrupt, HumanResponse } from '@langchain/langgraph/prebuilt';
import { editableArguments, readApproval } from '../shared/approvals.ts';
import type { Question } from '../shared/ask-once.ts';

const accept = { value: 'accept', label: 'Accept', kind: 'allow_once', variant: 'primary' } as const;
const respond = { value: 'respond', label: 'Respond', kind: 'reject_once' } as const;
const ignore = { value: 'ignore', label: 'Ignore', kind: 'reject_once', variant: 'danger' } as const;

export const isHumanInterrupt = (value: unknown): value is HumanInterrupt =>
  isObject(value) && isObject(value.action_request) && isObject(value.config);

export function inboxQuestion(asked: HumanInterrupt): {
  question: Question;
  resume(closed: Interaction, reading: ReadingOptions): HumanResponse;
} {
  const { action, args } = asked.action_request;
  const { allow_accept, allow_edit, allow_respond, allow_ignore } = asked.config;
  const title = action.trim() === '' ? 'Please decide' : action;
  const words = { title, ...defined({ body: asked.description }) };
  const isOnlyRespond = allow_respond && !allow_accept && !allow_edit;
  if (isOnlyRespond) return { question: input(textarea(), { ...words, name: responseName(args) }), resume };

  const response = textarea({
    label: 'Response',
    required: true,
    visibleIf: { all_of: [{ field: 'decision', op: 'equals', value: respond.value }] },
  });
  const question = approval({
    ...words,
    arguments: args,
    options: [
      ...(allow_accept || allow_edit ? [accept] : []),
      ...(allow_respond ? [respond] : []),
      // A person must always be able to say no.
      ...(allow_ignore || !(allow_accept || allow_edit) ? [ignore] : []),
    ],
    fields: {
      ...(allow_edit ? editableArguments(args) : {}),
      ...(allow_respond ? { [responseName(args)]: response } : {}),
    },
  });
  return { question, resume };

  function resume(closed: Interaction, reading: ReadingOptions): HumanResponse {
    const { values = {}, automatic } = closed.answer ?? {};
    const response = values[responseName(args)];
    // If the deadline chose "respond", nobody wrote the response.
    const isResponse = values.decision === respond.value && automatic === undefined;
    if (typeof response === 'string' && (isOnlyRespond || isResponse)) return { type: 'response', args: response };
    const { approved, arguments: left, edited } = readApproval(outcomeOf<FreeObject>(closed, reading));
    if (!approved) return { type: 'ignore', args: null };
    if (allow_accept && !edited) return { type: 'accept', args: null };
    const { [responseName(args)]: _, ...kept } = left;
    return { type: 'edit', args: { action, args: allow_respond ? kept : left } };
  }
}

/** A field name that no argument has. */
function responseName(args: FreeObject): string {
  let name = 'response';
  while (Object.hasOwn(args, name)) name += '_';
  return name;
}

/** The HumanInterrupt of Agent Inbox as an approval, and its end as a HumanResponse. */
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
import type { Question } from '../shared/ask-once.ts';
import { editableArguments } from '../shared/editable-arguments.ts';
import { readApproval } from '../shared/read-approval.ts';

const accept = { value: 'accept', label: 'Accept', kind: 'allow_once', variant: 'primary' } as const;
const respond = { value: 'respond', label: 'Respond', kind: 'reject_once' } as const;
const ignore = { value: 'ignore', label: 'Ignore', kind: 'reject_once', variant: 'danger' } as const;

export const isHumanInterrupt = (value: unknown): value is HumanInterrupt =>
  isObject(value) && isObject(value.action_request) && isObject(value.config);

export function inboxHeld(asked: HumanInterrupt): {
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
      // Somebody may always say no to what they are asked.
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
    // A deadline may recommend "respond", and then nobody wrote the response.
    const isResponse = values.decision === respond.value && automatic === undefined;
    if (typeof response === 'string' && (isOnlyRespond || isResponse)) return { type: 'response', args: response };
    const { approved, arguments: left, edited } = readApproval(outcomeOf<FreeObject>(closed, reading));
    if (!approved) return { type: 'ignore', args: null };
    if (allow_accept && !edited) return { type: 'accept', args: null };
    const { [responseName(args)]: _, ...kept } = left;
    return { type: 'edit', args: { action, args: allow_respond ? kept : left } };
  }
}

/** A name that none of the arguments has. */
function responseName(args: FreeObject): string {
  let name = 'response';
  while (Object.hasOwn(args, name)) name += '_';
  return name;
}

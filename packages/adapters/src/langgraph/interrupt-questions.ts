/** Turns an interrupt into questions, and their outcomes into the value that the waiting node gets. */
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
import type { Interrupt } from '@langchain/langgraph';
import type { HumanInterrupt, HumanResponse } from '@langchain/langgraph/prebuilt';
import { editableArguments, readApproval } from '../shared/approvals.ts';
import type { Question } from '../shared/ask-once.ts';
import { payloadQuestion, refusalOf, summaryOf, textQuestion, wordsOf } from '../shared/outcomes.ts';

export interface InterruptQuestions {
  questions: Question[];
  /** Returns the value of `interrupt`. Takes the closed questions in the same order. */
  resume(closed: readonly Interaction[], reading: ReadingOptions): unknown;
}

interface ResumedQuestion<V = unknown> {
  question: Question;
  resume(closed: Interaction, reading: ReadingOptions): V;
}

export function questionsOf({ value, response_schema: schema }: Interrupt): InterruptQuestions {
  if (isQuestion(value)) return one({ question: value, resume: (...closed) => summaryOf(outcomeOf(...closed)) });
  if (isHumanInterrupt(value)) return one(inboxQuestion(value));
  if (Array.isArray(value) && value.length > 0 && value.every(isHumanInterrupt))
    return several(value.map(inboxQuestion));
  if (isReviewRequest(value)) return reviewQuestions(value);
  const words = wordsOf(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  const { question, read } = isObject(schema) ? payloadQuestion(schema, words) : textQuestion(words);
  // A node that does not know Holdpoint expects a value: null if nobody gave one.
  return one({ question, resume: (closed) => read(closed) ?? null });
}

const several = (
  each: readonly ResumedQuestion[],
  combine: (resumed: unknown[]) => unknown = (resumed) => resumed,
): InterruptQuestions => ({
  questions: each.map(({ question }) => question),
  resume: (closed, reading) => combine(closed.map((one, index) => each[index]?.resume(one, reading))),
});

const one = (question: ResumedQuestion): InterruptQuestions => several([question], ([resumed]) => resumed);

/** A question of our builders, or anything else that could be the body of a create call. */
const isQuestion = (value: unknown): value is Question =>
  isObject(value) &&
  typeof value.title === 'string' &&
  ['kind', 'fields', 'options', 'payloadSchema'].some((name) => name in value);

const accept = { value: 'accept', label: 'Accept', kind: 'allow_once', variant: 'primary' } as const;
const respond = { value: 'respond', label: 'Respond', kind: 'reject_once' } as const;
const ignore = { value: 'ignore', label: 'Ignore', kind: 'reject_once', variant: 'danger' } as const;

const isHumanInterrupt = (value: unknown): value is HumanInterrupt =>
  isObject(value) && isObject(value.action_request) && isObject(value.config);

export function inboxQuestion(asked: HumanInterrupt): ResumedQuestion<HumanResponse> {
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

interface Action {
  name: string;
  args: FreeObject;
  description?: string;
}

/** JavaScript writes actionRequests, Python action_requests. */
type ReviewRequest =
  | { actionRequests: Action[]; reviewConfigs: { actionName: string; allowedDecisions: string[] }[] }
  | { action_requests: Action[]; review_configs: { action_name: string; allowed_decisions: string[] }[] };

const isReviewRequest = (value: unknown): value is ReviewRequest =>
  isObject(value) &&
  (Array.isArray(value.actionRequests) || Array.isArray(value.action_requests)) &&
  (Array.isArray(value.reviewConfigs) || Array.isArray(value.review_configs));

const allow = { value: 'allow', label: 'Allow', kind: 'allow_once', variant: 'primary' } as const;
const deny = { value: 'deny', label: 'Deny', kind: 'reject_once', variant: 'danger' } as const;

/** The middleware applies decisions by their position, so the decisions are in the order of the actions. */
function reviewQuestions(request: ReviewRequest): InterruptQuestions {
  const actions = 'actionRequests' in request ? request.actionRequests : request.action_requests;
  const editedName = 'actionRequests' in request ? 'editedAction' : 'edited_action';
  const reviews = actions.map((action, index) =>
    reviewQuestion(action, allowedFor(request, action, index), editedName),
  );
  return several(reviews, (decisions) => ({ decisions }));
}

function reviewQuestion({ name, args, description }: Action, allowed: string[], editedName: string): ResumedQuestion {
  const [mayApprove, mayEdit, mayReject] = ['approve', 'edit', 'reject'].map((decision) => allowed.includes(decision));
  const question = approval({
    title: `Allow ${name}?`,
    ...defined({ body: description }),
    arguments: args,
    options: [...(mayApprove || mayEdit ? [allow] : []), ...(mayReject ? [deny] : [])],
    fields: mayEdit ? editableArguments(args) : {},
  });
  return { question, resume };

  function resume(closed: Interaction, reading: ReadingOptions): object {
    const outcome = outcomeOf<FreeObject>(closed, reading);
    const { approved, arguments: left, edited } = readApproval(outcome);
    if (!approved) {
      const message = refusalOf(outcome);
      if (mayReject) return { type: 'reject', message };
      throw new Error(`Nobody allowed ${name}, and the middleware accepts no rejection of it. ${message}`);
    }
    if (mayApprove && !edited) return { type: 'approve' };
    return { type: 'edit', [editedName]: { name, args: left } };
  }
}

/** Finds the config of an action by position if the names match, else by name. Without a config, approve and reject are allowed. */
function allowedFor(request: ReviewRequest, { name }: Action, index: number): string[] {
  const configs =
    'reviewConfigs' in request
      ? request.reviewConfigs.map((each) => ({ name: each.actionName, allowed: each.allowedDecisions }))
      : request.review_configs.map((each) => ({ name: each.action_name, allowed: each.allowed_decisions }));
  const config = configs[index]?.name === name ? configs[index] : configs.find((each) => each.name === name);
  return config?.allowed ?? ['approve', 'reject'];
}

/** What the human-in-the-loop middleware of LangChain asks: several actions at once, each decided by itself. */
import {
  approval,
  approvalOf,
  type FreeObject,
  type Interaction,
  isObject,
  outcomeOf,
  type ReadingOptions,
} from '@holdpoint/protocol';
import { editableArguments } from '../shared/editable-arguments.ts';
import { tellRefusal } from '../shared/tell-outcome.ts';

interface Action {
  name: string;
  args: FreeObject;
  description?: string;
}

/** In JavaScript it is written actionRequests, in Python action_requests. */
type ReviewRequest =
  | { actionRequests: Action[]; reviewConfigs: { actionName: string; allowedDecisions: string[] }[] }
  | { action_requests: Action[]; review_configs: { action_name: string; allowed_decisions: string[] }[] };

export const isReviewRequest = (value: unknown): value is ReviewRequest =>
  isObject(value) &&
  (Array.isArray(value.actionRequests) || Array.isArray(value.action_requests)) &&
  (Array.isArray(value.reviewConfigs) || Array.isArray(value.review_configs));

/** Decisions are applied by their place in the list, so each is made in a question of its own and put where it belongs. */
export function reviewHeld(request: ReviewRequest) {
  const isScript = 'actionRequests' in request;
  const actions = isScript ? request.actionRequests : request.action_requests;
  const allowed = actions.map((action, index) => allowedFor(request, action, index));
  return {
    questions: actions.map(({ name, args, description }, index) =>
      approval({
        title: `Allow ${name}?`,
        ...(description === undefined ? {} : { body: description }),
        arguments: args,
        fields: allowed[index]?.includes('edit') ? editableArguments(args) : {},
      }),
    ),
    resume: (closed: readonly Interaction[], reading: ReadingOptions) => ({
      decisions: closed.map((each, index) => decisionOf(each, index, reading)),
    }),
  };

  function decisionOf(closed: Interaction, index: number, reading: ReadingOptions): object {
    const { approved, arguments: args, edited, outcome } = approvalOf(outcomeOf<FreeObject>(closed, reading));
    if (!approved) return { type: 'reject', message: tellRefusal(outcome) };
    const isOnlyEdit = allowed[index]?.includes('edit') && !allowed[index].includes('approve');
    if (!edited && !isOnlyEdit) return { type: 'approve' };
    return { type: 'edit', [isScript ? 'editedAction' : 'edited_action']: { name: actions[index]?.name, args } };
  }
}

/** By its place where the list is as long, or else by its name. */
function allowedFor(request: ReviewRequest, { name }: Action, index: number): string[] {
  const configs =
    'reviewConfigs' in request
      ? request.reviewConfigs.map((each) => ({ name: each.actionName, allowed: each.allowedDecisions }))
      : request.review_configs.map((each) => ({ name: each.action_name, allowed: each.allowed_decisions }));
  const config = configs[index]?.name === name ? configs[index] : configs.find((each) => each.name === name);
  return config?.allowed ?? [];
}

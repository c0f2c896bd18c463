/** Requests of LangChain's human-in-the-loop middleware: several actions at once, each a question of its own. */
import {
  approval,
  defined,
  type FreeObject,
  type Interaction,
  isObject,
  type Outcome,
  outcomeOf,
  type ReadingOptions,
} from '@holdpoint/protocol';
import { editableArguments, readApproval } from '../shared/approvals.ts';
import { refusalOf } from '../shared/outcomes.ts';

interface Action {
  name: string;
  args: FreeObject;
  description?: string;
}

/** JavaScript writes actionRequests, Python action_requests. */
type ReviewRequest =
  | { actionRequests: Action[]; reviewConfigs: { actionName: string; allowedDecisions: string[] }[] }
  | { action_requests: Action[]; review_configs: { action_name: string; allowed_decisions: string[] }[] };

export const isReviewRequest = (value: unknown): value is ReviewRequest =>
  isObject(value) &&
  (Array.isArray(value.actionRequests) || Array.isArray(value.action_requests)) &&
  (Array.isArray(value.reviewConfigs) || Array.isArray(value.review_configs));

const allow = { value: 'allow', label: 'Allow', kind: 'allow_once', variant: 'primary' } as const;
const deny = { value: 'deny', label: 'Deny', kind: 'reject_once', variant: 'danger' } as const;

/** The middleware applies decisions by their position, so the decisions are in the order of the actions. */
export function reviewQuestions(request: ReviewRequest) {
  const isScript = 'actionRequests' in request;
  const actions = isScript ? request.actionRequests : request.action_requests;
  const reviews = actions.map((action, index) => ({ action, may: allowedFor(request, action, index) }));
  return {
    questions: reviews.map(({ action: { name, args, description }, may }) =>
      approval({
        title: `Allow ${name}?`,
        ...defined({ body: description }),
        arguments: args,
        options: [...(may.approve || may.edit ? [allow] : []), ...(may.reject ? [deny] : [])],
        fields: may.edit ? editableArguments(args) : {},
      }),
    ),
    resume: (closed: readonly Interaction[], reading: ReadingOptions) => ({
      decisions: reviews.map(({ action, may }, index) => {
        const one = closed[index];
        return one && decisionOf(action, may, outcomeOf<FreeObject>(one, reading));
      }),
    }),
  };

  function decisionOf({ name }: Action, may: Allowed, outcome: Outcome<FreeObject>): object {
    const { approved, arguments: args, edited } = readApproval(outcome);
    if (!approved) {
      const message = refusalOf(outcome);
      if (may.reject) return { type: 'reject', message };
      throw new Error(`Nobody allowed ${name}, and the middleware accepts no rejection of it. ${message}`);
    }
    if (may.approve && !edited) return { type: 'approve' };
    return { type: 'edit', [isScript ? 'editedAction' : 'edited_action']: { name, args } };
  }
}

interface Allowed {
  approve: boolean;
  edit: boolean;
  reject: boolean;
}

/** Finds the config of an action by position if the names match, else by name. Without a config, approve and reject are allowed. */
function allowedFor(request: ReviewRequest, { name }: Action, index: number): Allowed {
  const configs =
    'reviewConfigs' in request
      ? request.reviewConfigs.map((each) => ({ name: each.actionName, allowed: each.allowedDecisions }))
      : request.review_configs.map((each) => ({ name: each.action_name, allowed: each.allowed_decisions }));
  const config = configs[index]?.name === name ? configs[index] : configs.find((each) => each.name === name);
  const allowed = config?.allowed ?? ['approve', 'reject'];
  return {
    approve: allowed.includes('approve'),
    edit: allowed.includes('edit'),
    reject: allowed.includes('reject'),
  };
}

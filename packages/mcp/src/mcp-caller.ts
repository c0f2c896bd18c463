/** The caller of a tool: what it may do, and the errors it gets. */
import { defined, type Fault, type HoldpointService } from '@holdpoint/protocol';
import type { FormReplies } from './ask-human/form-channel.ts';
import type { RequestStates } from './ask-human/request-states.ts';
import type { InputRequests } from './input-requests.ts';

export interface Refusal {
  error: { code: string; message: string; details?: Fault['problems'] };
  /** The current request, if the call came too late. */
  input_request?: unknown;
}

export function toRefusal({ code, detail, problems, current }: Fault): Refusal {
  return {
    error: { code, message: detail, ...defined({ details: problems }) },
    ...defined({ input_request: current && 'input_request' in current ? current.input_request : undefined }),
  };
}

export interface McpCaller {
  requests: InputRequests;
  service: AskService;
  states: RequestStates;
  replies: FormReplies;
  /** Identifies the caller, in characters that an idempotency key may contain. */
  mark: string;
  /** Long calls check this repeatedly, because keys are revoked and tokens expire. */
  isStillAdmitted(): Promise<boolean>;
  /** The assignee that names the person whose client calls. Undefined for a key. */
  person?: string;
  /** Reports whether the key may answer for people, and so may name the responder. */
  mayAnswerForPeople(): Promise<boolean>;
  /** The public address of the server, if it has one. */
  publicUrl: string | undefined;
}

type AskService = Pick<
  HoldpointService,
  | 'createThread'
  | 'createInteraction'
  | 'getInteraction'
  | 'waitForInteraction'
  | 'submitAnswer'
  | 'declineInteraction'
  | 'cancelInteraction'
  | 'mintResponderToken'
>;

/** Whom the tools work for: what they may call in whose name, and what stands in for a session. */
import type { HoldpointService } from '@holdpoint/protocol';
import type { FormReplies } from './ask-human/form-replies.ts';
import type { RequestStates } from './ask-human/request-states.ts';
import type { InputRequests } from './input-requests.ts';

export interface McpCaller {
  requests: InputRequests;
  service: AskService;
  states: RequestStates;
  replies: FormReplies;
  /** Tells one caller from another, in characters that may stand in an idempotency key. */
  mark: string;
  /** Asked now and then by what takes long: keys are revoked and tokens expire meanwhile. */
  isStillAdmitted(): Promise<boolean>;
  /** Whether its key may answer for people, and so also say who the person is. */
  mayAnswerForPeople(): Promise<boolean>;
  /** Where people reach the server, if they do. */
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

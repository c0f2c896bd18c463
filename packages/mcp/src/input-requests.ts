/** The shapes of input requests, and the verbs that their tools and their REST calls share. */
import type { Write } from '@holdpoint/protocol';

export type Scalar = string | number | boolean | null;
export type ScalarValues = Record<string, Scalar>;

export type InputRequestStatus = 'open' | 'submitted' | 'cancelled' | 'expired';

/** Other properties of a field are stored as sent. */
export interface InputRequestField {
  name: string;
  type: string;
  label?: string;
  required?: boolean;
  options?: (Record<string, unknown> | string)[];
  [more: string]: unknown;
}

export interface CreateInputRequest {
  conversation_id: string;
  run_id: string;
  tool_call_id: string;
  kind?: 'form';
  requested_responder_type: 'human' | 'agent' | 'system';
  title: string;
  description?: string;
  fields: InputRequestField[];
  recommendations?: Record<string, unknown>;
  expires_at?: string;
  metadata?: Record<string, unknown>;
}

export interface InputResponse {
  id: string;
  input_request_id: string;
  conversation_id: string;
  run_id: string;
  actor_type: string;
  actor_id: string;
  values: ScalarValues;
  created_at: string;
}

export interface InputRequest {
  id: string;
  conversation_id: string;
  run_id: string;
  tool_call_id: string;
  kind: string;
  status: InputRequestStatus;
  requested_responder_type: string;
  title: string;
  description: string | null;
  fields: Record<string, unknown>[];
  recommendations: Record<string, unknown> | null;
  metadata: Record<string, unknown> | null;
  created_at: string;
  expires_at: string | null;
  submitted_at: string | null;
  cancelled_at: string | null;
  expired_at: string | null;
  latest_response: InputResponse | null;
}

export interface ListInputRequests {
  conversation_id: string;
  status?: InputRequestStatus;
  run_id?: string;
  cursor?: string;
  limit?: number;
}

export interface InputRequestPage {
  data: InputRequest[];
  /** Cursors. The cursor of the first page is null. */
  page_info: { self: string | null; first: null; next: string | null; prev: string | null };
}

export interface InputRequestPlace {
  conversation_id: string;
  input_request_id: string;
}

export interface SubmittedInputRequest {
  success: true;
  input_request: InputRequest;
}

/**
 * The five verbs, for one caller. They throw a HoldpointError whose problems point into the request. On 409,
 * `current.input_request` of its fault is the current request.
 */
export interface InputRequests {
  /** The run and its tool call are the idempotency key. */
  create(input: CreateInputRequest): Promise<InputRequest>;
  list(input: ListInputRequests): Promise<InputRequestPage>;
  get(input: InputRequestPlace): Promise<InputRequest>;
  submit(input: InputRequestPlace & { values: ScalarValues }, write?: Write): Promise<SubmittedInputRequest>;
  cancel(input: InputRequestPlace, write?: Write): Promise<InputRequest>;
}

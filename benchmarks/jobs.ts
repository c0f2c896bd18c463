/** The messages between the benchmark and its load generator. Times are milliseconds. */
export type Job =
  | LoopJob
  | CycleJob
  | { type: 'hold'; port: number; interactionIds: string[] }
  | { type: 'wake'; interactionIds: string[] }
  | { type: 'release' }
  | SayJob
  | WorkJob
  | ClaimCycleJob
  | WebhookCycleJob
  | DisturbJob
  | { type: 'calm' }
  | TurnsJob
  | UploadsJob;

/** A closed loop: every client sends its next request when it has the answer of the last. */
export interface LoopJob {
  type: 'loop';
  operation: 'create' | 'get' | 'answer';
  port: number;
  clients: number;
  durationMs: number;
  /** Threads to ask in, or interactions to get or answer. */
  ids: string[];
  /** Takes each id once, as only the first answer is accepted, and ends with the last. */
  isOnce: boolean;
}

/** Create, open a wait, answer, and the wait returns. */
export interface CycleJob {
  type: 'cycle';
  port: number;
  /** URL of the server that it waits at, if it asks and answers at another one. */
  waiterPort?: number;
  clients: number;
  durationMs: number;
  threadIds: string[];
  /** Lets the wait be parked before the answer is sent, to time the wake-up alone. */
  parkMs: number;
}

/** Sends a number of user messages, one thread after the other. */
export interface SayJob {
  type: 'say';
  port: number;
  clients: number;
  threadIds: string[];
  count: number;
}

/** Workers that claim and complete until the time is over or no batch is left. */
export interface WorkJob {
  type: 'work';
  port: number;
  workers: number;
  durationMs: number;
}

/** Ask, open a claim, answer, and the claim returns. */
export interface ClaimCycleJob {
  type: 'claim-cycle';
  port: number;
  threadIds: string[];
  durationMs: number;
}

/** Ask, answer, and the webhook arrives. */
export interface WebhookCycleJob {
  type: 'webhook-cycle';
  port: number;
  /** API key of the org that owns the webhook. */
  key: string;
  /** Port of the endpoint, if its webhook exists already. Otherwise the job creates a webhook. */
  endpointPort?: number;
  /** Number of concurrent clients. */
  clients: number;
  threadIds: string[];
  durationMs: number;
}

/** Loads a server until a `calm` job arrives, then ends at once. Rejected calls are part of the load. */
export interface DisturbJob {
  type: 'disturb';
  port: number;
  key: string;
  how:
    | { kind: 'reads'; callers: number }
    | { kind: 'answers'; callers: number; interactionId: string }
    | { kind: 'uploads'; callers: number; interactionId: string }
    | { kind: 'messages'; everyMs: number; threadId: string };
}

/** Creates, waits and answers in a closed loop until `turns` or `maxMs` is reached. Rejected calls count as calls. */
export interface TurnsJob {
  type: 'turns';
  port: number;
  key: string;
  threadIds: string[];
  clients: number;
  turns: number;
  maxMs: number;
}

/** Uploads in a closed loop until `uploads` or `maxMs` is reached. Repeats each upload until the server accepts it. */
export interface UploadsJob {
  type: 'uploads';
  port: number;
  key: string;
  /** Each takes a few uploads, because only 40 uploads of one caller for a field may wait for an answer. */
  interactionIds: string[];
  clients: number;
  uploads: number;
  maxMs: number;
}

export interface Latency {
  p50: number;
  p99: number;
}

export interface Result extends Latency {
  count: number;
  perSecond: number;
  /** Ids of the interactions that a create loop made. */
  createdIds: string[];
  /** Cycles: from the response to the answer until the response to the waiter. Negative if the waiter is first. */
  afterAnswer: Latency;
  /** Cycles: from sending the answer until the response to the waiter, which includes the check and the fsync. */
  fromAnswerSent: Latency;
  /** Durations of all timed calls, by kind of call. */
  samples: Record<string, number[]>;
  /** Number of calls that a disturbance made, by kind and status. */
  made: Record<string, number>;
}

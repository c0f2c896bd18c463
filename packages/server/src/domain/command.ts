/** The commands on an interaction, and their outcomes. */
import type {
  Actor,
  ActorRef,
  AnswerSignature,
  EventData,
  EventType,
  Fault,
  FreeObject,
  Grant,
  Interaction,
  Problem,
  Question,
  StoredFile,
  SubmitAnswer,
  UpdateInteraction,
} from '@holdpoint/protocol';

/** The proof that a person gave an answer, as far as the server has one. */
export interface Proof {
  /** The caller is a person in a session. Keys, tokens, local programs, rules and deadlines never are. */
  isSignedIn: boolean;
  /** The caller is the MCP client of a person, and may be controlled by a model. */
  isClient?: true;
  /** A signature of this person over exactly this answer, which was verified. */
  signature?: AnswerSignature;
  /** Why the signature that came with the answer was rejected. */
  rejected?: string;
}

/** A responder at the time of a call. The operation looks up what the rules need. */
export interface Responder {
  by: Actor;
  /** The assignees that include the responder, besides its own id: a person, and the groups of the person. */
  names?: readonly string[];
  /** The person whose vote this is, if `by` has another id: that of an email, or the person who created the key. */
  countsAs?: string;
  /** The person who created the key that answers for somebody else. */
  keyOwner?: string;
  /** The emails of these people, by their ids. */
  emails?: Readonly<Record<string, string>>;
  /** The absent people whose deputy the responder is at this time. */
  absent?: readonly Absent[];
  /** Everybody who requested the question. Needed if `notRequester` is set. */
  requesters?: readonly ActorRef[];
}

export interface Absent {
  personId: string;
  names: readonly string[];
  email?: string | undefined;
}

/** The proof of who the responder is, and the remarks. The digest covers everything that the person was shown. */
type Remarks = { proof?: Proof } & Pick<SubmitAnswer, 'reason' | 'metadata' | 'digest'>;

/**
 * The command has the ids of the answer, of the grant that it may give, and of the answer that closes votes that cannot
 * agree, because `decide` has no randomness. It also has the function that makes the digest, because that hashes.
 */
export type Command = { expectedVersion?: number } & (
  | {
      type: 'create';
      id: string;
      threadId: string;
      question: Question;
      digestOf: DigestOf;
      policy: Policy;
      by: Actor;
      isAdmin: boolean;
      answerId: string;
      /** The grants with its key, the newest first. */
      grants: readonly Grant[];
      /** The givers of these grants, as far as a name or the requester matters. */
      voters?: Voters;
    }
  | ({
      type: 'answer';
      answerId: string;
      grantId: string;
      splitId: string;
      values: FreeObject;
      payload?: unknown;
      /** The stored files that the values name, of any question. */
      files?: readonly StoredFile[];
    } & Responder &
      Remarks)
  | ({ type: 'decline'; answerId: string; splitId: string } & Responder & Remarks)
  | ({ type: 'claim'; forMs: number } & Responder)
  | ({ type: 'release'; isAdmin: boolean } & Responder)
  | ({ type: 'delegate'; to: string; reason?: string; digestOf: DigestOf } & Responder)
  | {
      type: 'reassign';
      by: Actor;
      isAdmin: boolean;
      assignees: readonly string[];
      reason?: string;
      digestOf: DigestOf;
    }
  | { type: 'cancel'; by: Actor; reason?: string }
  | {
      type: 'update';
      by: Actor;
      isAdmin: boolean;
      patch: Omit<UpdateInteraction, 'expectedVersion'>;
      question: Question;
      digestOf: DigestOf;
    }
  | {
      type: 'expire';
      answerId: string;
      /** Assignees of due escalations who are deactivated. */
      deactivated?: readonly string[];
    }
  | { type: 'unassign'; by: Actor; assignee: string; digestOf: DigestOf }
);

/** The part of an interaction that says who may answer, when it closes and to what it belongs. */
export type Policy = Pick<
  Interaction,
  | 'blocking'
  | 'responder'
  | 'resolution'
  | 'deadline'
  | 'escalations'
  | 'grant'
  | 'assurance'
  | 'run'
  | 'origin'
  | 'trace'
  | 'metadata'
  | 'original'
  | 'hasCallback'
>;

/** The givers of grants by the ids of their actors, and the requesters of the new question. */
export interface Voters {
  /** The assignees that include each giver now. A person who may no longer answer has none, and `isInactive`. */
  known: Readonly<Record<string, { names: readonly string[]; isInactive?: true }>>;
  requesters: readonly ActorRef[];
}

type DigestOf = (asked: Interaction) => string;

export type CommandType = Command['type'];
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>;

export type NewEventOf<T extends EventType> = T extends EventType
  ? { type: T; at: string; actor: Actor; interactionId?: string; data: EventData[T] }
  : never;
export type NewEvent = NewEventOf<EventType>;

export interface Outcome {
  interaction: Interaction;
  events: NewEvent[];
  grant?: Grant;
  /** Values of secret fields, which are in neither the record nor the log. */
  secrets?: FreeObject;
  /** Files that an answer carries from now on. */
  answeredFiles?: readonly string[];
}

export type Refused = { ok: false; fault: Fault };
export type Decided = { ok: true; outcome: Outcome } | Refused;

export const accept = (outcome: Outcome): Decided => ({ ok: true, outcome });

export const refuse = (fault: Fault): Refused => ({ ok: false, fault });

export const refuseInput = (problems: readonly Problem[], code: 'invalid-input' | 'invalid-answer'): Decided =>
  refuse({ code, detail: problems.map(({ message }) => message).join(' '), problems });

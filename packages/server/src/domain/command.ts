/** The commands on an interaction, and their outcomes. */
import type {
  Actor,
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

/** The responder, and the remarks. The digest covers everything that the person was shown. */
type Responding = {
  by: Actor;
  /** The assignees that include the responder, besides its own id. */
  names?: readonly string[];
} & Pick<SubmitAnswer, 'reason' | 'metadata' | 'digest'>;

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
      /** The assignees that now include each person who gave one of the grants, by the id of the person. */
      givers?: Givers;
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
    } & Responding)
  | ({ type: 'decline'; answerId: string; splitId: string } & Responding)
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

export type Givers = ReadonlyMap<string, readonly string[]>;

/** The part of an interaction that says who may answer, when it closes and to what it belongs. */
export type Policy = Pick<
  Interaction,
  | 'blocking'
  | 'responder'
  | 'resolution'
  | 'deadline'
  | 'escalations'
  | 'grant'
  | 'run'
  | 'origin'
  | 'trace'
  | 'metadata'
  | 'original'
  | 'hasCallback'
>;

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

/** The props of a question card, and the calls it may make. */
import type { AnswerSignature, Interaction } from '@holdpoint/protocol';
import type { Problem } from '@holdpoint/protocol/answers';
import type { Drafts } from '../connection/drafts.ts';
import type { Uploads } from '../form/field-props.ts';
import type { Entered, Values } from '../form/form-state.ts';
import type { Strings } from '../strings/strings.ts';

/** The result of sending: accepted, or what is wrong. */
export type Sent =
  | { ok: true; now?: Interaction }
  | {
      ok: false;
      problems: readonly Problem[];
      message: string;
      /** The current request, if the answer came too late. */
      now?: Interaction | undefined;
      /** The response was lost: the server may have accepted the answer. */
      isUnsure?: boolean;
    };

export interface RequestActions {
  /** The person's token. */
  token(): Promise<string>;
  /** Returns the current request from the server. */
  look(interaction: Interaction): Promise<Interaction>;
  answer(interaction: Interaction, values: Values, payload?: unknown, signature?: AnswerSignature): Promise<Sent>;
  decline(interaction: Interaction, reason: string | undefined, signature?: AnswerSignature): Promise<Sent>;
  uploads(interaction: Interaction): Uploads;
  /** Saves the entered values soon after. */
  saveDraft(interaction: Interaction, values: Values, payload?: unknown): void;
  /** Keeps the reason for declining while the person types it, with the card alone. */
  noteReason?(reason: string): void;
}

/** The props of every view of several questions. */
export interface AnsweringProps {
  actions: RequestActions;
  drafts: Drafts;
  strings: Strings;
  locale: string;
}

export interface RequestCardProps extends Omit<AnsweringProps, 'drafts'> {
  interaction: Interaction;
  draft: Entered | undefined;
  /** The question has changed since the person began. */
  isChanged?: boolean;
  headingLevel?: 2 | 3;
}

/** The props of a view of one question that cannot be answered there. */
export type QuestionProps = Pick<RequestCardProps, 'interaction' | 'strings'>;
export type LocalQuestionProps = Pick<RequestCardProps, 'interaction' | 'strings' | 'locale'>;

export interface DetailProps extends LocalQuestionProps {
  /** The values that the person has entered so far. */
  values: Values;
}

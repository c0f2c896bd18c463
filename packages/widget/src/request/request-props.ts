/** What shows a question is given, and what it may do. */
import type { Interaction } from '@holdpoint/protocol';
import type { Problem } from '@holdpoint/protocol/answers';
import type { Uploads } from '../form/field-props.ts';
import type { Entered, Values } from '../form/form-state.ts';
import type { Strings } from '../strings/strings.ts';

/** What came of sending: nothing wrong, or what. */
export type Sent = { ok: true } | { ok: false; problems: readonly Problem[]; message: string };

export interface RequestActions {
  /** What the person answers with. */
  token(): Promise<string>;
  answer(interaction: Interaction, values: Values, payload?: unknown): Promise<Sent>;
  decline(interaction: Interaction, reason: string | undefined): Promise<Sent>;
  uploads(interaction: Interaction): Uploads;
  /** Whatever is entered, soon after. */
  saveDraft(interaction: Interaction, values: Values, payload?: unknown): void;
}

export interface RequestCardProps {
  interaction: Interaction;
  draft: Entered | undefined;
  /** It reads otherwise than when the person began. */
  isChanged?: boolean;
  actions: RequestActions;
  strings: Strings;
  locale: string;
  headingLevel?: 2 | 3;
}

/** A question, shown once it is known what was entered before. */
import type { Interaction } from '@holdpoint/protocol';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Drafts } from '../connection/drafts.ts';
import type { Entered, Values } from '../form/form-state.ts';
import type { Strings } from '../strings/strings.ts';
import { RequestCard } from './lazy-request-card.tsx';
import type { RequestActions } from './request-card.tsx';

export interface DraftedCardProps {
  interaction: Interaction;
  actions: RequestActions;
  drafts: Drafts;
  strings: Strings;
  locale: string;
  headingLevel?: 2 | 3;
}

export function DraftedCard({ interaction, actions, drafts, headingLevel = 3, ...rest }: DraftedCardProps) {
  // What was first shown; a question of before there were digests gets its own with the first vote.
  const began = useRef(interaction.digest);
  began.current ??= interaction.digest;
  const isChanged = began.current !== interaction.digest;
  // With what no draft keeps: a secret stays as long as the page.
  const here = useRef<Values>(undefined);
  const kept = useMemo(
    (): RequestActions => ({
      ...actions,
      saveDraft(asked, values, payload) {
        here.current = values;
        actions.saveDraft(asked, values, payload);
      },
    }),
    [actions],
  );
  // Votes and new titles leave the form as it is; only another form is begun anew, with what was entered.
  const form = useMemo(() => JSON.stringify([interaction.fields, interaction.payloadSchema]), [interaction]);
  const [draft, setDraft] = useState<{ form: string; entered: Entered | undefined }>();
  useLayoutEffect(() => {
    let isGone = false;
    // While the draft is on its way, so is what shows it.
    void RequestCard.fetch();
    void drafts
      .load(interaction)
      .then(
        (entered) =>
          isGone || setDraft({ form, entered: { ...entered, values: { ...here.current, ...entered?.values } } }),
      );
    return () => {
      isGone = true;
    };
  }, [form]);
  if (draft?.form !== form) return <div class="placeholder" aria-hidden="true" />;
  return (
    <RequestCard
      key={form}
      {...{ interaction, isChanged, headingLevel, ...rest }}
      actions={kept}
      draft={draft.entered}
    />
  );
}

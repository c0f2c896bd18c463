/** A question, shown once it is known what was entered before. */
import type { Interaction } from '@holdpoint/protocol';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Drafts } from '../connection/drafts.ts';
import type { Values } from '../form/form-state.ts';
import type { Strings } from '../strings/strings.ts';
import { RequestCard } from './lazy-request-card.tsx';
import type { RequestActions } from './request-card.tsx';

export interface DraftedCardProps {
  interaction: Interaction;
  actions: RequestActions;
  drafts: Drafts;
  strings: Strings;
  locale: string;
}

export function DraftedCard({ interaction, drafts, ...rest }: DraftedCardProps) {
  const [draft, setDraft] = useState<{ values: Values | undefined }>();
  useLayoutEffect(() => {
    let isGone = false;
    // While the draft is on its way, so is what shows it.
    void RequestCard.fetch();
    void drafts.load(interaction).then((values) => isGone || setDraft({ values }));
    return () => {
      isGone = true;
    };
  }, []);
  if (!draft) return <div class="placeholder" aria-hidden="true" />;
  return <RequestCard {...{ interaction, ...rest }} draft={draft.values} headingLevel={3} />;
}

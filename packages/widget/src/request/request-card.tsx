/** One pending question: its form, or a note that this person has answered and others still have to. */
import { offersAlways } from '@holdpoint/protocol/answers';
import { useLayoutEffect, useState } from 'preact/hooks';
import { lazily } from '../form/lazily.tsx';
import { AnswerForm } from './answer-form.tsx';
import { VotedState } from './closed-state.tsx';
import type { RequestActions, RequestCardProps } from './request-props.ts';
import { readClaims, voteOf } from './responder.ts';

/**
 * Fetched with the first approval. Until then nobody can approve, because the person does not see what they would
 * approve.
 */
const ApprovalForm = lazily(() => import('./approval-form.tsx').then((all) => all.ApprovalForm));

export function RequestCard(props: RequestCardProps) {
  const { interaction, actions, strings, headingLevel = 2 } = props;
  const responder = useResponder(actions, interaction.resolution.mode !== 'first');
  if (!responder) return <div class="placeholder" aria-hidden="true" />;
  const vote = voteOf(interaction, responder.id);
  if (vote) return <VotedState {...{ interaction, vote, strings, headingLevel }} />;
  const isApproval = interaction.kind === 'approval' || offersAlways(interaction);
  // The script of approvals fetches that of questions with an assurance, so that this one stays small.
  return isApproval || interaction.assurance ? <ApprovalForm {...props} /> : <AnswerForm {...props} />;
}

/** Without an id if the token cannot be read. */
interface Responder {
  id?: string | undefined;
}

const anybody: Responder = {};

/** Undefined until known. Read only if needed, because a token may have to be fetched. */
export function useResponder(actions: RequestActions, isNeeded: boolean): Responder | undefined {
  const [responder, setResponder] = useState<Responder>();
  useLayoutEffect(() => {
    if (isNeeded)
      void actions
        .token()
        .then((token) => ({ id: readClaims(token).sub }))
        .catch(() => anybody)
        .then(setResponder);
  }, [isNeeded]);
  return isNeeded ? responder : anybody;
}

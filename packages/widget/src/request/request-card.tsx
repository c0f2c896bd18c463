/** One question: to be answered, or with the word that the person's answer counts while others are still asked. */
import { offersAlways } from '@holdpoint/protocol/answers';
import { lazily } from '../form/lazily.tsx';
import { AnswerForm } from './answer-form.tsx';
import { voteOf } from './own-vote.ts';
import type { RequestCardProps } from './request-props.ts';
import { useResponder } from './use-responder.ts';
import { VotedState } from './voted-state.tsx';

export type { RequestActions, RequestCardProps, Sent } from './request-props.ts';

/**
 * Fetched with the first approval. Until then nobody can approve, because the person does not see what they would
 * approve.
 */
const ApprovalForm = lazily<RequestCardProps>(() => import('./approval-form.tsx').then((all) => all.ApprovalForm));

export function RequestCard(props: RequestCardProps) {
  const { interaction, actions, strings, headingLevel = 2 } = props;
  const responder = useResponder(actions, interaction.resolution.mode !== 'first');
  if (!responder) return <div class="placeholder" aria-hidden="true" />;
  const vote = voteOf(interaction, responder.id);
  if (vote) return <VotedState {...{ interaction, vote, strings, headingLevel }} />;
  const isApproval = interaction.kind === 'approval' || offersAlways(interaction);
  return isApproval ? <ApprovalForm {...props} /> : <AnswerForm {...props} />;
}

/** Standing decisions: when an answer gives one, and when one answers for a person. */
import type { Answer, Grant, Interaction } from '@holdpoint/protocol';
import type { NewEvent } from './command.ts';
import { pickedOption, pickField, readAnswer } from './read-answer.ts';
import { isAsked, timestamp } from './state.ts';
import { agreeing } from './tally.ts';

/** The grant that the closing answer gives, if everyone who agreed said "always". */
export function grantFrom(closed: Interaction, id: string, now: number): { grant: Grant; event: NewEvent } | undefined {
  const { grant: offer, answer, run } = closed;
  if (!offer || !answer) return undefined;
  const agreed = agreeing(closed, closed.votes, answer);
  const kinds = agreed.map((vote) => pickedOption(closed, vote.values)?.kind);
  if (kinds.length === 0 || !kinds.every((kind) => kind?.endsWith('_always'))) return undefined;
  const grant: Grant = {
    id,
    key: offer.key,
    scope: offer.scope,
    decision: answer.decision === 'declined' ? 'reject' : 'allow',
    threadId: closed.threadId,
    interactionId: closed.id,
    ...(run ? { runId: run.id } : {}),
    by: answer.by,
    voters: agreed.length,
    createdAt: timestamp(now),
    ...(offer.forMs === undefined ? {} : { expiresAt: timestamp(now + offer.forMs) }),
  };
  const event = {
    type: 'grant.created',
    at: grant.createdAt,
    actor: answer.by,
    interactionId: closed.id,
    data: { grant },
  };
  return { grant, event: event as NewEvent };
}

/** The answer a standing grant gives to a new question, marked as automatic; undefined where none reaches it. */
export function answerByGrant(
  asked: Interaction,
  grants: readonly Grant[],
  answerId: string,
  now: number,
): Answer | undefined {
  const standing = grants
    .filter((grant) => reaches(grant, asked, now))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
  const option = standing && pickField(asked)?.options.find(({ kind }) => kind?.startsWith(standing.decision));
  if (!option) return undefined;
  const read = readAnswer(asked, { values: { [pickField(asked)?.name ?? '']: option.value } });
  if (!read.ok) return undefined;
  const by = { type: 'system', id: 'grant' } as const;
  return { id: answerId, ...read.answer, by, at: timestamp(now), automatic: 'grant', grantId: standing.id };
}

/** A grant never reaches further than the person who gave it could have: not past its scope, its time or its votes. */
function reaches(grant: Grant, asked: Interaction, now: number): boolean {
  const { grant: offer, resolution, run, threadId } = asked;
  if (!offer || offer.key !== grant.key || grant.revokedAt) return false;
  if (grant.expiresAt && Date.parse(grant.expiresAt) <= now) return false;
  if (!isAsked(asked, grant.by)) return false;
  if (resolution.mode !== 'first' && resolution.count > grant.voters) return false;
  if (grant.scope === 'org') return true;
  return grant.scope === 'thread' ? grant.threadId === threadId : grant.runId !== undefined && grant.runId === run?.id;
}

/** Standing decisions: when an answer gives one, and when one answers for a person. */
import { type Answer, type Grant, type Interaction, type Option, pickedOptions, pickField } from '@holdpoint/protocol';
import type { NewEvent } from './command.ts';
import { readAnswer } from './read-answer.ts';
import { bound, interactionEvent, isAsked, systemActor, timestamp } from './state.ts';
import { agreeing } from './tally.ts';

/** The grant that the closing answer gives, if everyone who agreed said "always". */
export function grantFrom(closed: Interaction, id: string, now: number): { grant: Grant; event: NewEvent } | undefined {
  const { grant: offer, answer, run } = closed;
  if (!offer || !answer) return undefined;
  const agreed = agreeing(closed, closed.votes, answer);
  const kinds = agreed.map((vote) => pickedOptions(closed, vote.values)[0]?.kind);
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
    voters: agreed.map((vote) => vote.by),
    createdAt: timestamp(now),
    ...(offer.forMs === undefined ? {} : { expiresAt: timestamp(now + offer.forMs) }),
  };
  return { grant, event: interactionEvent(closed, 'grant.created', answer.by, { grant }) };
}

/** The answer that the newest grant that reaches gives to a new question; undefined where a person must be asked. */
export function answerByGrant(
  asked: Interaction,
  newestFirst: readonly Grant[],
  answerId: string,
  now: number,
): Answer | undefined {
  const standing = newestFirst.find((grant) => reaches(grant, asked, now));
  const option = standing && optionFor(asked, standing.decision);
  if (!option) return undefined;
  const read = readAnswer(asked, { values: { [pickField(asked)?.name ?? '']: option.value } });
  if (!read.ok) return undefined;
  const by = systemActor('grant');
  return {
    id: answerId,
    ...read.answer,
    by,
    at: timestamp(now),
    automatic: 'grant',
    grantId: standing.id,
    ...bound(asked),
  };
}

/** The option that says what the grant says; none where several of one kind leave open which one was meant. */
function optionFor(asked: Interaction, decision: Grant['decision']): Option | undefined {
  const options = pickField(asked)?.options.filter(({ kind }) => kind?.startsWith(decision)) ?? [];
  const kinds = new Set(options.map(({ kind }) => kind));
  return kinds.size === options.length ? options[0] : undefined;
}

/** A grant never reaches further than the people who gave it could have: not past its scope, its time or their votes. */
function reaches(grant: Grant, asked: Interaction, now: number): boolean {
  const { grant: offer, resolution, run, threadId } = asked;
  if (!offer || offer.key !== grant.key || grant.revokedAt) return false;
  if (grant.expiresAt && Date.parse(grant.expiresAt) <= now) return false;
  const votesNeeded = resolution.mode === 'first' ? 1 : resolution.count;
  if (grant.voters.filter((voter) => isAsked(asked, voter)).length < votesNeeded) return false;
  if (grant.scope === 'org') return true;
  return grant.scope === 'thread' ? grant.threadId === threadId : grant.runId !== undefined && grant.runId === run?.id;
}

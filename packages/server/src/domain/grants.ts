/** Grants: when an answer gives a grant, what it covers, and when it answers in place of a person. */
import {
  type Actor,
  type Answer,
  type AskedForGood,
  agreeing,
  coverageOf,
  defined,
  type Grant,
  type GrantCoverage,
  type Interaction,
  isQuorum,
  jsonEqual,
  type Option,
  pickedOptions,
  pickField,
  votesNeeded,
} from '@holdpoint/protocol';
import type { CommandOf, NewEvent, Voters } from './command.ts';
import { isVisitor } from './public-key.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import { isRequester, quorumGroups } from './responder.ts';
import { interactionEvent, isAsked, newAnswer, systemActor, timestamp } from './state.ts';

/** Returns the grant that the closing answer gives, if every vote that agreed picked "always". */
export function grantFrom(closed: Interaction, id: string, now: number): { grant: Grant; event: NewEvent } | undefined {
  const { grant: offer, answer, run } = closed;
  if (!offer || !answer) return undefined;
  const agreed = agreeing(closed, closed.votes, answer);
  const picked = agreed.map((vote) => pickedOptions(closed, vote.values)[0]);
  if (picked.length === 0 || !picked.every((option) => option?.kind?.endsWith('_always'))) return undefined;
  const covers = coveredBy(closed, answer);
  if (!covers) return undefined;
  const grant: Grant = {
    id,
    key: offer.key,
    scope: offer.scope,
    decision: answer.decision === 'declined' ? 'reject' : 'allow',
    covers,
    threadId: closed.threadId,
    interactionId: closed.id,
    ...defined({ runId: run?.id }),
    by: answer.by,
    voters: agreed.map((vote) => vote.by),
    createdAt: timestamp(now),
    ...defined({ expiresAt: offer.forMs === undefined ? undefined : timestamp(now + offer.forMs) }),
  };
  return { grant, event: interactionEvent(closed, 'grant.created', answer.by, { grant }) };
}

/**
 * An approval covers the arguments of the answer. A rejection covers the proposed arguments, even if the person changed some
 * before. A grant cannot give a secret or a payload again, so an approval with one covers nothing.
 */
function coveredBy(closed: Interaction, answer: Answer): GrantCoverage | undefined {
  if (answer.decision === 'accepted')
    return answer.secretFields || answer.payload !== undefined ? undefined : coverageOf(closed, answer.values);
  const [option] = pickedOptions(closed, answer.values);
  const read = option && asProposed(closed, option);
  return read?.ok ? coverageOf(closed, read.answer.values) : undefined;
}

/** Returns what a grant must cover to answer this question as proposed, or undefined if no grant can. */
export function coverageWanted(asked: AskedForGood): GrantCoverage | undefined {
  for (const decision of ['allow', 'reject'] as const) {
    const given = asked.grant && answerTo(asked, decision);
    if (given) return given.covers;
  }
  return undefined;
}

/** Returns the answer of the newest grant that applies to a new question, or undefined if a person must be asked. */
export function answerByGrant(
  asked: Interaction,
  { grants, voters, answerId }: Pick<CommandOf<'create'>, 'grants' | 'voters' | 'answerId'>,
  now: number,
): Answer | undefined {
  const grant = grants.find((each) => applies(each, asked, now, voters));
  const given = grant && answerTo(asked, grant.decision);
  if (!given) return undefined;
  const automatic = { by: systemActor('grant', 'rule'), automatic: 'grant', grantId: grant.id } as const;
  return newAnswer(asked, { id: answerId, ...given.answer, ...automatic }, now);
}

/** Returns the answer that a grant with this decision would give, and what the grant must cover to give it. */
function answerTo(asked: AskedForGood, decision: Grant['decision']) {
  const option = optionFor(asked, decision);
  const read = option && asProposed(asked, option);
  return read?.ok ? { answer: read.answer, covers: coverageOf(asked, read.answer.values) } : undefined;
}

/** Reads the answer of a person who picks this option and leaves the rest as proposed. */
const asProposed = (asked: AskedForGood, { value }: Option): ReadAnswer =>
  readAnswer(asked, { values: { [pickField(asked)?.name ?? '']: value } });

/** Returns the option with the decision of the grant, or undefined if several options of one kind have it. */
function optionFor(asked: AskedForGood, decision: Grant['decision']): Option | undefined {
  const options = pickField(asked)?.options.filter(({ kind }) => kind?.startsWith(decision)) ?? [];
  const kinds = new Set(options.map(({ kind }) => kind));
  return kinds.size === options.length ? options[0] : undefined;
}

/**
 * Reports whether a grant answers this question. A grant never goes beyond what its givers were shown, its scope, its
 * time or their votes. Grants of earlier versions have only a key, and answer nothing.
 */
function applies(grant: Grant, asked: Interaction, now: number, known: Voters | undefined): boolean {
  const { grant: offer, run, threadId } = asked;
  if (!offer || offer.key !== grant.key || grant.revokedAt) return false;
  if (!grant.covers || !jsonEqual(grant.covers, answerTo(asked, grant.decision)?.covers)) return false;
  if (grant.expiresAt && Date.parse(grant.expiresAt) <= now) return false;
  if (!couldAnswer(asked, grant.voters, known)) return false;
  // A visitor could not have answered in another thread. Without this, one visitor of a page approves for the whole org.
  if (grant.threadId !== threadId && grant.voters.some(isVisitor)) return false;
  if (grant.scope === 'org') return true;
  return grant.scope === 'thread' ? grant.threadId === threadId : grant.runId !== undefined && grant.runId === run?.id;
}

/** Reports whether the givers of a grant could answer this question together, with the groups that they are in now. */
function couldAnswer(
  asked: Interaction,
  givers: readonly Actor[],
  { known, requesters }: Voters = { known: {}, requesters: [] },
): boolean {
  const { resolution } = asked;
  const names = givers
    .filter((by) => !isRequester(asked, { by }, requesters))
    .map((by) => {
      const found = Object.hasOwn(known, by.id) ? known[by.id] : undefined;
      const own = found?.names ?? [];
      return found?.isInactive || !isAsked(asked, by, own) ? undefined : own;
    })
    .filter((each) => each !== undefined);
  if (!('of' in resolution)) return names.length >= votesNeeded(resolution);
  return isQuorum(
    resolution.of,
    names.map((each) => quorumGroups(asked, each) ?? []),
  );
}

import {
  type AskedForGood,
  checkQuestion,
  defined,
  type Grant,
  type Interaction,
  isApproval,
  limits,
} from '@holdpoint/protocol';
import { highest, storedAssurance } from '../../domain/assurance.ts';
import { actorOf, type Caller, isAdmin, isClient } from '../../domain/caller.ts';
import type { CommandOf, Voters } from '../../domain/command.ts';
import { decide } from '../../domain/decide.ts';
import { coverageWanted } from '../../domain/grants.ts';
import { readPolicy } from '../../domain/policy.ts';
import { approvalMinimum } from '../access/org-settings.ts';
import { callbackOf } from '../callbacks/callbacks.ts';
import type { Context, Operation } from '../context.ts';
import { invalidInput, jsonProblems } from '../invalid-input.ts';
import { withKnownAssignees } from '../people/assignees.ts';
import { authorize, decidedOrThrow, perform } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { digestOf, toChange } from './change-interaction.ts';
import { loadInteraction } from './interactions.ts';
import { requestersOf, votersOf } from './responders.ts';

type Input = Parameters<Operation<'createInteraction'>>[2];

/** Enough to find the newest grant that applies; people do not give hundreds of grants for one question. */
const grantsLookedAt = 100;

export const createInteraction: Operation<'createInteraction'> = (context, caller, input) =>
  perform(context, caller, {
    verb: 'createInteraction',
    input,
    attempt: async () => {
      // The client of a member asks only in threads that the member has created.
      if (isClient(caller)) await loadThread(context, caller, input.threadId);
      const read = await readAsked(context, caller, input);
      const documents = await callbackOf(context, caller, input.callbackUrl);
      const now = context.clock.now();
      const grants = await findGrants(context, { orgId: caller.orgId, threadId: input.threadId, now }, read);
      const voters = grants.length > 0 ? { voters: await findVoters(context, caller.orgId, read, grants) } : {};
      const { outcome } = decidedOrThrow(decide(null, { ...read, grants, ...voters }, now));
      const result = outcome.interaction;
      const { id } = result;
      const change = { ...toChange(outcome, null), ...documents(id) };
      return { change, resource: { type: 'interaction', id }, result };
    },
    reload: (id) => loadInteraction(context, caller, id),
  });

/**
 * Finds the grants that may answer this question: given for the same question, with a scope that includes this thread
 * or run.
 */
function findGrants(
  { store }: Context,
  place: { orgId: string; threadId: string; now: number },
  { question, policy, by }: CommandOf<'create'>,
): Promise<Grant[]> | Grant[] {
  const asked: AskedForGood = { ...question, ...policy, createdBy: by };
  const covers = coverageWanted(asked);
  const { grant, run } = policy;
  if (!grant || !covers) return [];
  return store.findGrants({ ...place, key: grant.key, covers, ...defined({ runId: run?.id }), limit: grantsLookedAt });
}

/** Looks up what decides whether the givers of the grants could answer this question. */
async function findVoters(
  context: Pick<Context, 'store'>,
  orgId: string,
  { by: createdBy, threadId, policy }: CommandOf<'create'>,
  grants: readonly Grant[],
): Promise<Voters> {
  const givers = grants.flatMap(({ voters }) => voters);
  const [known, requesters] = await Promise.all([
    votersOf(context, orgId, givers),
    policy.responder.notRequester
      ? requestersOf(context, orgId, { createdBy, threadId, ...defined({ run: policy.run }) })
      : [],
  ]);
  return { known, requesters };
}

/** Returns the command without grants, or throws all problems of the input. */
async function readAsked(
  context: Pick<Context, 'clock' | 'newId' | 'store'>,
  caller: Caller,
  { threadId, idempotencyKey: _key, ...asked }: Input,
): Promise<CommandOf<'create'>> {
  const { newId } = context;
  const { input, policy } = readPolicy(await withKnownAssignees(context, caller, asked));
  const { trace, metadata, original } = policy;
  const checked = checkQuestion(input);
  const problems = [
    ...(checked.ok ? [] : checked.problems),
    ...jsonProblems({ trace, metadata }),
    ...jsonProblems({ original }, limits.originalBytes),
  ];
  if (!checked.ok || problems.length > 0) throw invalidInput(problems);
  const { question } = checked;
  const ids = { id: newId(), threadId, answerId: newId() };
  const requester = { by: actorOf(caller), isAdmin: isAdmin(caller) };
  const minimum = isApproval(question) ? await approvalMinimum(context, caller.orgId) : 'any';
  const assured = { ...policy, ...storedAssurance(highest(policy.assurance, minimum)) };
  return { type: 'create', ...ids, question, digestOf, policy: assured, ...requester, grants: [] };
}

/** Returns what createInteraction would create if no grant answered it, or fails for the same reasons. Stores nothing. */
export async function previewInteraction(
  context: Pick<Context, 'clock' | 'newId' | 'store'>,
  caller: Caller,
  input: Input,
): Promise<Interaction> {
  authorize(caller, 'createInteraction');
  return decidedOrThrow(decide(null, await readAsked(context, caller, input), context.clock.now())).outcome.interaction;
}

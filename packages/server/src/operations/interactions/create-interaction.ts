import {
  type AskedForGood,
  type CreateInteraction,
  checkQuestion,
  type Grant,
  HoldpointError,
  type Interaction,
  limits,
  type Write,
} from '@holdpoint/protocol';
import { actorOf, type Caller, isAdmin } from '../../domain/caller.ts';
import { decide } from '../../domain/decide.ts';
import { coverageWanted } from '../../domain/grants.ts';
import { readPolicy } from '../../domain/policy.ts';
import { callbackOf } from '../callbacks/callbacks.ts';
import type { Context } from '../context.ts';
import { invalidInput, jsonProblems } from '../invalid-input.ts';
import { authorize, perform } from '../perform.ts';
import { digestOf, toChange } from './change-interaction.ts';
import { loadInteraction } from './interactions.ts';

/** Enough to find the newest grant that applies; people do not give hundreds of grants for one question. */
const grantsLookedAt = 100;

export function createInteraction(
  context: Context,
  caller: Caller,
  input: { threadId: string } & CreateInteraction & Write,
): Promise<Interaction> {
  return perform(context, caller, {
    verb: 'createInteraction',
    input,
    attempt: async () => {
      const { threadId, idempotencyKey: _key, ...asked } = input;
      const { question, policy } = readAsked(asked);
      const documents = await callbackOf(context, caller, asked.callbackUrl);
      const now = context.clock.now();
      const { orgId } = caller;
      const by = actorOf(caller);
      const grants = await findGrants(context, { orgId, threadId, now }, { ...question, ...policy, createdBy: by });
      const id = context.newId();
      const command = {
        type: 'create',
        id,
        threadId,
        question,
        digestOf,
        policy,
        by,
        isAdmin: isAdmin(caller),
        answerId: context.newId(),
        grants,
      } as const;
      const decided = decide(null, command, now);
      if (!decided.ok) throw new HoldpointError(decided.fault);
      const result = decided.outcome.interaction;
      const change = { ...toChange(decided.outcome, null), ...documents(id) };
      return { change, resource: { type: 'interaction', id }, result };
    },
    reload: (id) => loadInteraction(context, caller, id),
  });
}

/**
 * Finds the grants that may answer this question: given for the same question, with a scope that includes this thread
 * or run.
 */
function findGrants(
  { store }: Context,
  place: { orgId: string; threadId: string; now: number },
  asked: AskedForGood & Pick<Interaction, 'run'>,
): Promise<Grant[]> | Grant[] {
  const covers = coverageWanted(asked);
  if (!asked.grant || !covers) return [];
  const { grant, run } = asked;
  return store.findGrants({
    ...place,
    key: grant.key,
    covers,
    ...(run ? { runId: run.id } : {}),
    limit: grantsLookedAt,
  });
}

/** What is asked and under which policy, or all that is wrong with it. */
function readAsked(asked: CreateInteraction) {
  const { input, policy } = readPolicy(asked);
  const { trace, metadata, original } = policy;
  const checked = checkQuestion(input);
  const problems = [
    ...(checked.ok ? [] : checked.problems),
    ...jsonProblems({ trace, metadata }),
    ...jsonProblems({ original }, limits.originalBytes),
  ];
  if (!checked.ok || problems.length > 0) throw invalidInput(problems);
  return { question: checked.question, policy };
}

/** What createInteraction would make of it where no grant stands, refused for the same reasons; nothing is stored. */
export async function previewInteraction(
  { clock, newId }: Pick<Context, 'clock' | 'newId'>,
  caller: Caller,
  input: { threadId: string } & CreateInteraction & Write,
): Promise<Interaction> {
  authorize(caller, 'createInteraction');
  const { threadId, idempotencyKey: _key, ...asked } = input;
  const { question, policy } = readAsked(asked);
  const by = actorOf(caller);
  const command = {
    type: 'create',
    id: newId(),
    threadId,
    question,
    digestOf,
    policy,
    by,
    isAdmin: isAdmin(caller),
    answerId: newId(),
    grants: [],
  } as const;
  const decided = decide(null, command, clock.now());
  if (!decided.ok) throw new HoldpointError(decided.fault);
  return decided.outcome.interaction;
}

import {
  type CreateInteraction,
  checkQuestion,
  HoldpointError,
  type Interaction,
  limits,
  type Write,
} from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { decide } from '../domain/decide.ts';
import { readPolicy } from '../domain/policy.ts';
import { toChange } from './change-interaction.ts';
import type { Context } from './context.ts';
import { digestOf } from './digest-of.ts';
import { invalidInput, jsonProblems } from './invalid-input.ts';
import { loadInteraction } from './load.ts';
import { perform } from './perform.ts';

/** Enough to find the newest grant that reaches; people do not give hundreds of standing answers to one key. */
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
      const now = context.clock.now();
      const { orgId } = caller;
      const { grant, run } = policy;
      const place = grant && { orgId, key: grant.key, threadId, now, ...(run ? { runId: run.id } : {}) };
      const grants = place ? await context.store.findGrants({ ...place, limit: grantsLookedAt }) : [];
      const id = context.newId();
      const by = actorOf(caller);
      const command = {
        type: 'create',
        id,
        threadId,
        question,
        digest: digestOf(question),
        policy,
        by,
        answerId: context.newId(),
        grants,
      } as const;
      const decided = decide(null, command, now);
      if (!decided.ok) throw new HoldpointError(decided.fault);
      const result = decided.outcome.interaction;
      return { change: toChange(decided.outcome, null), resource: { type: 'interaction', id }, result };
    },
    reload: (id) => loadInteraction(context, caller, id),
  });
}

/** What is asked and under which policy, or all that is wrong with it. */
export function readAsked(asked: CreateInteraction) {
  const { input, policy } = readPolicy(asked);
  const { trace, metadata, spelling } = policy;
  const checked = checkQuestion(input);
  const problems = [
    ...(checked.ok ? [] : checked.problems),
    ...jsonProblems({ trace, metadata }),
    ...jsonProblems({ spelling }, limits.spellingBytes),
  ];
  if (!checked.ok || problems.length > 0) throw invalidInput(problems);
  return { question: checked.question, policy };
}

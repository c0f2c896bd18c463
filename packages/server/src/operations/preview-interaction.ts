import { type CreateInteraction, HoldpointError, type Interaction, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller, isAdmin } from '../domain/caller.ts';
import { decide } from '../domain/decide.ts';
import type { Context } from './context.ts';
import { readAsked } from './create-interaction.ts';
import { digestOf } from './digest-of.ts';
import { authorize } from './perform.ts';

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

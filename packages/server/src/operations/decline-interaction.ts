import type { Decline, Interaction, Write } from '@holdpoint/protocol';
import { type Caller, responderOf } from '../domain/caller.ts';
import { changeInteraction } from './change-interaction.ts';
import type { Context } from './context.ts';
import { orThrow } from './perform.ts';

export async function declineInteraction(
  context: Context,
  caller: Caller,
  input: { interactionId: string } & Decline & Write,
): Promise<Interaction> {
  const { reason, responder } = input;
  const by = orThrow(responderOf(caller, responder));
  return changeInteraction(context, caller, {
    verb: 'declineInteraction',
    input,
    command: () => ({ type: 'decline', answerId: context.newId(), by, ...(reason === undefined ? {} : { reason }) }),
  });
}

import type { Cancel, Interaction, Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { changeInteraction } from './change-interaction.ts';
import type { Context } from './context.ts';

export function cancelInteraction(
  context: Context,
  caller: Caller,
  input: { interactionId: string } & Cancel & Write,
): Promise<Interaction> {
  const { reason } = input;
  return changeInteraction(context, caller, {
    verb: 'cancelInteraction',
    input,
    command: () => ({ type: 'cancel', by: actorOf(caller), ...(reason === undefined ? {} : { reason }) }),
  });
}

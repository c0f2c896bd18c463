import type { Decline, Interaction, Write } from '@holdpoint/protocol';
import { type Caller, responderOf } from '../domain/caller.ts';
import { changeInteraction } from './change-interaction.ts';
import type { Context } from './context.ts';
import { checkJsonBounds } from './invalid-input.ts';
import { orThrow } from './perform.ts';

export function declineInteraction(
  context: Context,
  caller: Caller,
  input: { interactionId: string } & Decline & Write,
): Promise<Interaction> {
  const { reason, metadata, responder, digest } = input;
  return changeInteraction(context, caller, {
    verb: 'declineInteraction',
    input,
    command: () => {
      checkJsonBounds({ metadata });
      return {
        type: 'decline',
        answerId: context.newId(),
        splitId: context.newId(),
        by: orThrow(responderOf(caller, responder)),
        ...(reason === undefined ? {} : { reason }),
        ...(metadata === undefined ? {} : { metadata }),
        ...(digest === undefined ? {} : { digest }),
      };
    },
  });
}

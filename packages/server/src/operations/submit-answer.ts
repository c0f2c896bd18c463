import { type Interaction, limits, type SubmitAnswer, type Write } from '@holdpoint/protocol';
import { type Caller, responderOf } from '../domain/caller.ts';
import { changeInteraction } from './change-interaction.ts';
import type { Context } from './context.ts';
import { checkJsonBounds } from './invalid-input.ts';
import { orThrow } from './perform.ts';

export function submitAnswer(
  context: Context,
  caller: Caller,
  input: { interactionId: string } & SubmitAnswer & Write,
): Promise<Interaction> {
  const { values = {}, payload, reason, metadata, responder } = input;
  return changeInteraction(context, caller, {
    verb: 'submitAnswer',
    input,
    command: () => {
      checkJsonBounds({ payload }, limits.valuesBytes);
      checkJsonBounds({ metadata });
      return {
        type: 'answer',
        answerId: context.newId(),
        grantId: context.newId(),
        splitId: context.newId(),
        by: orThrow(responderOf(caller, responder)),
        values,
        ...(payload === undefined ? {} : { payload }),
        ...(reason === undefined ? {} : { reason }),
        ...(metadata === undefined ? {} : { metadata }),
      };
    },
  });
}

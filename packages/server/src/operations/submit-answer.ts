import { type Actor, type Interaction, limits, type SubmitAnswer, type Write } from '@holdpoint/protocol';
import { type Caller, responderOf } from '../domain/caller.ts';
import { changeInteraction } from './change-interaction.ts';
import type { Context } from './context.ts';
import { checkJsonBounds } from './invalid-input.ts';
import { orThrow } from './perform.ts';

export async function submitAnswer(
  context: Context,
  caller: Caller,
  input: { interactionId: string } & SubmitAnswer & Write,
): Promise<Interaction> {
  const { values = {}, payload, reason, responder } = input;
  checkJsonBounds({ payload }, limits.valuesBytes);
  const by: Actor = orThrow(responderOf(caller, responder));
  return changeInteraction(context, caller, {
    verb: 'submitAnswer',
    input,
    command: () => ({
      type: 'answer',
      answerId: context.newId(),
      grantId: context.newId(),
      by,
      values,
      ...(payload === undefined ? {} : { payload }),
      ...(reason === undefined ? {} : { reason }),
    }),
  });
}

import { type Decline, type Interaction, limits, type SubmitAnswer, type Write } from '@holdpoint/protocol';
import { type Caller, responderOf } from '../../domain/caller.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { answeredFiles, loadNamedFiles } from '../files/answered-files.ts';
import { checkJsonBounds } from '../invalid-input.ts';
import { orThrow } from '../perform.ts';
import { changeInteraction } from './change-interaction.ts';

export function submitAnswer(
  context: Context,
  caller: Caller,
  input: { interactionId: string } & SubmitAnswer & Write,
): Promise<Interaction> {
  const { values = {}, payload, reason, metadata, responder, digest } = input;
  let files: Document<'file'>[] = [];
  return changeInteraction(context, caller, {
    verb: 'submitAnswer',
    input,
    command: async (state) => {
      checkJsonBounds({ payload }, limits.valuesBytes);
      checkJsonBounds({ metadata });
      files = await loadNamedFiles(context, caller, state, values);
      return {
        type: 'answer',
        answerId: context.newId(),
        grantId: context.newId(),
        splitId: context.newId(),
        by: orThrow(responderOf(caller, responder)),
        values,
        files: files.map(({ record }) => record),
        ...(payload === undefined ? {} : { payload }),
        ...(reason === undefined ? {} : { reason }),
        ...(metadata === undefined ? {} : { metadata }),
        ...(digest === undefined ? {} : { digest }),
      };
    },
    beside: (outcome) => answeredFiles(outcome, files),
  });
}

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

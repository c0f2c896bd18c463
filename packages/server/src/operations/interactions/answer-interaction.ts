/** Answers or declines a question, and hands out the secrets of an answer. */
import { defined, type FreeObject, fail, type Interaction, limits } from '@holdpoint/protocol';
import { actorOf, isRequesterOrAdmin } from '../../domain/caller.ts';
import { withStoredFiles } from '../../domain/files/upload-fields.ts';
import { readAnswer } from '../../domain/read-answer.ts';
import { timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/documents.ts';
import type { Operation } from '../context.ts';
import { answeredFiles, loadNamedFiles } from '../files/answered-files.ts';
import { checkJsonBounds } from '../invalid-input.ts';
import { perform } from '../perform.ts';
import { changeInteraction } from './change-interaction.ts';
import { loadInteraction } from './interactions.ts';
import { prove } from './prove.ts';
import { respondingTo } from './responders.ts';

export const submitAnswer: Operation<'submitAnswer'> = (context, caller, input) => {
  const { values = {}, payload, reason, metadata, responder, digest, signature } = input;
  let files: Document<'file'>[] = [];
  return changeInteraction(context, caller, {
    verb: 'submitAnswer',
    input,
    command: async (state) => {
      checkJsonBounds({ payload }, limits.valuesBytes);
      checkJsonBounds({ metadata });
      files = await loadNamedFiles(context, caller, state, values);
      const given = signature && storedAnswer(state, { values, payload, files });
      const proof = await prove(context, caller, { state, signature, given });
      return {
        type: 'answer',
        answerId: context.newId(),
        grantId: context.newId(),
        splitId: context.newId(),
        ...(await respondingTo(context, caller, state, responder)),
        proof,
        values,
        files: files.map(({ record }) => record),
        ...defined({ payload, reason, metadata, digest }),
      };
    },
    alsoSave: (outcome) => answeredFiles(outcome, files),
  });
};

/** Returns what an answer stores, which is what its signature covers, or undefined if its values are not valid. */
function storedAnswer(
  state: Interaction,
  { values, payload, files }: { values: FreeObject; payload: unknown; files: readonly Document<'file'>[] },
) {
  const named = withStoredFiles(
    state,
    values,
    files.map(({ record }) => record),
  );
  const read = readAnswer(state, { values: named.values, payload });
  return read.ok ? read.answer : undefined;
}

export const declineInteraction: Operation<'declineInteraction'> = (context, caller, input) => {
  const { reason, metadata, responder, digest, signature } = input;
  return changeInteraction(context, caller, {
    verb: 'declineInteraction',
    input,
    command: async (state) => {
      checkJsonBounds({ metadata });
      const given = { decision: 'declined', values: {} } as const;
      const proof = await prove(context, caller, { state, signature, given });
      return {
        type: 'decline',
        proof,
        answerId: context.newId(),
        splitId: context.newId(),
        ...(await respondingTo(context, caller, state, responder)),
        ...defined({ reason, metadata, digest }),
      };
    },
  });
};

/** Hands the secret values of an answer to the requester and deletes them, in one change. */
export const takeSecrets: Operation<'takeSecrets'> = (context, caller, input) =>
  perform(context, caller, {
    verb: 'takeSecrets',
    input,
    attempt: async () => {
      const interaction = await loadInteraction(context, caller, input.interactionId);
      if (!isRequesterOrAdmin(caller, interaction))
        return fail('forbidden', 'Only the key that asked, or an admin key, may take the secrets of an answer.');
      const { id, threadId, answer } = interaction;
      const values = await context.store.getSecrets({ orgId: caller.orgId, interactionId: id });
      if (!values) {
        if (answer?.secretFields) return refuseTaken();
        return fail(
          'secrets-not-found',
          answer ? 'No field of the answer is secret.' : 'The question has no answer yet.',
        );
      }
      const at = timestamp(context.clock.now());
      const data = { secretFields: Object.keys(values) };
      const taken = { type: 'interaction.secrets-taken', at, actor: actorOf(caller), interactionId: id, data } as const;
      return {
        change: { takenSecrets: { interactionId: id }, log: { threadId, events: [taken] } },
        resource: { type: 'interaction', id },
        result: { values },
      };
    },
    reload: refuseTaken,
  });

const refuseTaken = (): never => fail('secrets-taken', 'The secret values were read earlier.');

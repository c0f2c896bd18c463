import { type FreeObject, fail, HoldpointError, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller, mayTakeSecrets } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { loadInteraction } from './interactions.ts';

/** Hands the secret values of an answer to the asker and forgets them, in one change. */
export function takeSecrets(
  context: Context,
  caller: Caller,
  input: { interactionId: string } & Write,
): Promise<{ values: FreeObject }> {
  const { interactionId } = input;
  return perform(context, caller, {
    verb: 'takeSecrets',
    input,
    attempt: async () => {
      const interaction = await loadInteraction(context, caller, interactionId);
      const fault = mayTakeSecrets(caller, interaction);
      if (fault) throw new HoldpointError(fault);
      const { id, threadId, answer } = interaction;
      const values = await context.store.getSecrets({ orgId: caller.orgId, interactionId: id });
      if (!values) {
        if (answer?.secretFields) return fail('secrets-taken', 'They were handed out before.');
        return fail('secrets-not-found', answer ? 'No field of the answer is secret.' : 'There is no answer yet.');
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
    reload: () => fail('secrets-taken', 'They were handed out before.'),
  });
}

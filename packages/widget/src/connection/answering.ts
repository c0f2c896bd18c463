/** Sends what a person answers, so that a try that was lost is not done twice, and says what came of it. */
import type { Interaction } from '@holdpoint/protocol';
import type { Values } from '../form/form-state.ts';
import type { RequestActions, Sent } from '../request/request-card.tsx';
import type { Strings } from '../strings/strings.ts';
import { type Api, ApiError } from './api.ts';
import type { Drafts } from './drafts.ts';

export interface Answering {
  api(): Api;
  drafts: Drafts;
  strings(): Strings;
  /** As the server has it after the call, or as it was found when the call was too late. */
  onClosed(interaction: Interaction): void;
}

export function requestActions({ api, drafts, strings, onClosed }: Answering): RequestActions {
  const keys = new Map<string, string>();

  async function send(
    interaction: Interaction,
    said: unknown,
    call: (key: string) => Promise<Interaction>,
  ): Promise<Sent> {
    const { id } = interaction;
    const spoken = JSON.stringify([id, said]);
    const key = keys.get(spoken) ?? crypto.randomUUID();
    keys.set(spoken, key);
    try {
      const closed = await call(key);
      drafts.forget(id);
      onClosed(closed);
      return { ok: true };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, problems, message } = error;
      // Somebody was faster: what they made of it is shown instead.
      if (status === 409 || status === 404)
        await api()
          .getInteraction(id)
          .then(onClosed, () => {});
      return { ok: false, problems, message: message || (status === 0 ? strings().offline : strings().sendFailed) };
    }
  }

  return {
    answer: (interaction, values: Values) =>
      send(interaction, ['answer', values], (key) => api().answer(interaction.id, values, key)),
    decline: (interaction, reason) =>
      send(interaction, ['decline', reason], (key) => api().decline(interaction.id, reason, key)),
    uploads: ({ id }) => ({
      start: (field, file, onProgress, signal) => api().upload(id, { field, file, onProgress, signal }),
    }),
    saveDraft: (interaction, values) => drafts.save(interaction, values),
  };
}

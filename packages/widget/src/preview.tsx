/** Previews a question while somebody writes it: nothing is loaded, saved or sent. */
import { defined, type Interaction } from '@holdpoint/protocol';
import { HoldpointElement } from './elements/holdpoint-element.tsx';
import type { Values } from './form/form-state.ts';
import { RequestCard } from './request/lazy-requests.tsx';
import type { RequestActions, Sent } from './request/request-props.ts';

/** The answer that a person would have sent. */
export type Previewed = { values: Values; payload?: unknown } | { declined: true; reason?: string };

export class PreviewElement extends HoldpointElement {
  #interaction: Interaction | undefined;
  #revision = 0;
  readonly #actions: RequestActions = {
    answer: async (_interaction, values, payload) => this.#emit({ values, ...defined({ payload }) }),
    decline: async (_interaction, reason) => this.#emit({ declined: true, ...defined({ reason }) }),
    uploads: () => ({ start: () => Promise.reject(new Error('A preview cannot upload files.')) }),
    saveDraft() {},
    token: async () => '',
    look: async (interaction) => interaction,
  };

  set interaction(interaction: Interaction | undefined) {
    this.#interaction = interaction;
    // Starts with an empty form: earlier input may not fit the changed question.
    this.#revision += 1;
    if (this.isConnected) this.update();
  }

  protected override view() {
    const { strings, locale } = this;
    const interaction = this.#interaction;
    if (!interaction) return null;
    return (
      <RequestCard
        key={this.#revision}
        {...{ interaction, strings, locale }}
        draft={undefined}
        actions={this.#actions}
      />
    );
  }

  #emit(detail: Previewed): Sent {
    this.dispatchEvent(new CustomEvent('holdpoint-previewed', { detail }));
    return { ok: true };
  }
}

if (!customElements.get('holdpoint-preview')) customElements.define('holdpoint-preview', PreviewElement);

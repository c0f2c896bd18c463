/**
 * One question, for the page that a link leads to, or for a page of your own.
 *
 * @element holdpoint-request
 * @attr {string} interaction - The id of the question.
 * @attr {string} server - The address of the server; where the script came from, if left out.
 * @attr {string} token - A responder's token that reaches the question.
 * @attr {string} locale - The language; that of the page, if left out.
 * @attr {'light'|'dark'} theme - Else as the person's system has it.
 * @prop {() => Promise<string>} getToken - Gets a fresh token where one runs out; instead of the attribute.
 * @fires holdpoint-begun - The person began to answer, or has no unaccepted input left; detail: { isBegun }.
 * @fires holdpoint-closed - The question is closed; detail: the interaction.
 * @fires holdpoint-link - A link was followed; detail: { url }.
 * @csspart card - A question with its form.
 * @csspart title - The title of a question.
 * @csspart actions - The row of buttons that answer or decline.
 */
import type { Interaction } from '@holdpoint/protocol';
import type { ApiError } from '../connection/api.ts';
import { followEvents } from '../connection/follow-events.ts';
import { DraftedCard } from '../request/lazy-requests.tsx';
import { ConnectedElement } from './connected-element.tsx';

export class RequestElement extends ConnectedElement {
  static override observedAttributes = [...ConnectedElement.observedAttributes, 'interaction'];
  #shown: Interaction | undefined;
  #fault: ApiError | undefined;
  #isLost = false;

  protected override view() {
    const { strings, locale, actions, drafts } = this;
    const interaction = this.#shown;
    if (!interaction) {
      if (this.#fault) return <p class="state">{strings.notFound}</p>;
      return (
        <p class="state" aria-busy="true">
          {this.#isLost ? strings.reconnecting : strings.loading}
        </p>
      );
    }
    return (
      <DraftedCard
        key={interaction.id}
        {...{ interaction, actions, drafts, strings, locale }}
        headingLevel={2}
        onBegun={(isBegun) => this.tell('begun', { isBegun })}
      />
    );
  }

  protected override onClosed(interaction: Interaction): void {
    this.#shown = interaction;
    this.update();
    if (interaction.status !== 'pending') this.tell('closed', interaction);
  }

  /** Shows it, and hears when it is changed or closed elsewhere. */
  protected override connect(signal: AbortSignal): void {
    this.#shown = undefined;
    this.#fault = undefined;
    void DraftedCard.fetch();
    const interactionId = this.getAttribute('interaction') ?? '';
    const load = async () => {
      const interaction = await this.api.getInteraction(interactionId, signal);
      if (!signal.aborted && interaction.version !== this.#shown?.version) this.onClosed(interaction);
    };
    void followEvents({
      open: (lastEventId) => this.api.openEvents({ interactionId }, { lastEventId, signal }),
      onOpen: load,
      onEvent: () => void load().catch(() => {}),
      onLost: () => {
        this.#isLost = true;
        this.update();
      },
      onRefused: (fault) => {
        this.#fault = fault;
        this.update();
      },
      signal,
    });
  }
}

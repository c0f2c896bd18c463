/**
 * One question, for the page that a link opens or for your own page.
 *
 * @element holdpoint-request
 * @attr {string} interaction - The id of the question.
 * @attr {string} token - A responder token whose scope includes the question.
 * @fires holdpoint-begun - The person began to answer, or has no unsent input left; detail: { isBegun }.
 * @fires holdpoint-open - The question is followed from now on.
 * @fires holdpoint-viewing - Somebody opened or left the question; detail: { interactionId, by, isViewing }.
 * @fires holdpoint-closed - The question is closed; detail: the interaction.
 */
import type { Interaction } from '@holdpoint/protocol';
import { followEvents } from '../connection/follow-events.ts';
import { DraftedCard } from '../request/lazy-requests.tsx';
import { ConnectedElement } from './connected-element.tsx';

type State = 'loading' | 'reconnecting' | 'notFound';

export class RequestElement extends ConnectedElement {
  static override observedAttributes = [...ConnectedElement.observedAttributes, 'interaction'];
  #shown: Interaction | undefined;
  /** Said as long as the question is not there. */
  #state: State = 'loading';

  protected override view() {
    const { strings, locale, actions, drafts } = this;
    const interaction = this.#shown;
    if (!interaction)
      return (
        <p class="state" aria-busy={this.#state !== 'notFound'}>
          {strings[this.#state]}
        </p>
      );
    return (
      <>
        <DraftedCard
          key={interaction.id}
          {...{ interaction, actions, drafts, strings, locale }}
          headingLevel={2}
          onBegun={(isBegun) => this.emit('begun', { isBegun })}
        />
        {this.#state === 'reconnecting' && <p class="hint">{strings.reconnecting}</p>}
      </>
    );
  }

  #say(state: State): void {
    this.#state = state;
    this.update();
  }

  protected override put(interaction: Interaction): void {
    this.#shown = interaction;
    this.update();
  }

  /** Loads the question and follows its changes. */
  protected override connect(signal: AbortSignal): void {
    this.#shown = undefined;
    this.#state = 'loading';
    void DraftedCard.fetch();
    const interactionId = this.getAttribute('interaction') ?? '';
    const load = async () => {
      const interaction = await this.api.getInteraction(interactionId, signal);
      this.#say('loading');
      if (!signal.aborted && interaction.version !== this.#shown?.version) this.putState(interaction);
    };
    void followEvents({
      open: (lastEventId) => this.api.openEvents({ interactionId, ephemeral: 'true' }, { lastEventId, signal }),
      onOpen: () => {
        this.emit('open');
        return load();
      },
      onEvent: (event) => {
        if (event.type === 'interaction.viewing') this.emit('viewing', event.data);
        else void load().catch(() => {});
      },
      onLost: () => this.#say('reconnecting'),
      onRefused: () => this.#say('notFound'),
      signal,
    });
  }
}

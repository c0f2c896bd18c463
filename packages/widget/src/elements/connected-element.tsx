/**
 * An element that talks to a server. It connects again whenever an attribute names another place. Every element has:
 *
 * @attr {string} server - The address of the server. Default: the origin of the script.
 * @attr {string} locale - The language, such as `de`. Default: the language of the page.
 * @attr {'light'|'dark'} theme - The colour scheme. Default: the setting of the person's system.
 * @prop {() => Promise<string>} getToken - Returns a fresh token when one has expired. Use it instead of the attribute.
 * @fires holdpoint-closed - A question was answered or declined here; detail: the interaction.
 * @fires holdpoint-link - The person followed a link; detail: { url }.
 * @csspart card - A question with its form.
 * @csspart title - The title of a question.
 * @csspart actions - The row of buttons that answer or decline.
 */
import type { Interaction } from '@holdpoint/protocol';
import { requestActions } from '../connection/answering.ts';
import { Api, type ThreadCalls } from '../connection/api.ts';
import { Drafts } from '../connection/drafts.ts';
import type { RequestActions } from '../request/request-props.ts';
import { HoldpointElement } from './holdpoint-element.tsx';

export abstract class ConnectedElement extends HoldpointElement {
  static override observedAttributes = [...HoldpointElement.observedAttributes, 'server', 'token'];
  /** Returns a fresh token when one has expired. Use it instead of the attribute. */
  declare getToken: (() => Promise<string>) | undefined;
  protected readonly drafts = new Drafts(() => this.calls);
  protected readonly actions: RequestActions = requestActions({
    api: () => this.calls,
    drafts: this.drafts,
    strings: () => this.strings,
    onClosed: (interaction) => this.putState(interaction),
  });
  #connection: AbortController | undefined;

  constructor() {
    super();
    // Links in blocks and in Markdown that leave the page.
    this.root.addEventListener('click', ({ target }) => {
      const link = (target as Element).closest<HTMLAnchorElement>('a[target]');
      if (link) this.emit('link', { url: link.href });
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.#connection) this.#connect();
  }

  protected override leave(): void {
    this.#connection?.abort();
    this.#connection = undefined;
    super.leave();
  }

  override attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    super.attributeChangedCallback(name, before, after);
    // Every attribute except the language names a place.
    if (this.isConnected && before !== after && name !== 'locale') this.#connect();
  }

  protected get api(): Api {
    const server = this.getAttribute('server') ?? new URL(import.meta.url).origin;
    return new Api({ server: server.replace(/\/$/, ''), token: this.getToken ?? this.getAttribute('token') ?? '' });
  }

  /** The calls that answer questions. */
  protected get calls(): ThreadCalls {
    return this.api;
  }

  /** Follows the place that the attributes name, until the signal. */
  protected abstract connect(signal: AbortSignal): void;
  /** Shows the state that the server has just returned. */
  protected abstract put(interaction: Interaction): void;

  protected putState(interaction: Interaction): void {
    this.put(interaction);
    if (interaction.status !== 'pending') this.emit('closed', interaction);
  }

  /** Connects once for several attributes that are set in a row. */
  #connect(): void {
    this.#connection?.abort();
    const connection = new AbortController();
    this.#connection = connection;
    queueMicrotask(() => {
      if (!connection.signal.aborted && this.isConnected) this.connect(connection.signal);
    });
  }
}

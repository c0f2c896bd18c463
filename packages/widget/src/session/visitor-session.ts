/** The session of a visitor: opened by the public key of the page when the visitor first sees it, and kept for the tab. */
import { defined } from '@holdpoint/protocol';
import type { ApiError } from '../connection/api.ts';
import { store, stored } from '../connection/drafts.ts';
import { BlocksCalls, type OpenedSession } from './blocks-calls.ts';

interface VisitorSessionOptions {
  /** The element. Its attributes say which session to open. */
  host: HTMLElement;
  signal: AbortSignal;
  onOpened(): void;
  /** Opening failed. It is tried again unless the failure is final. */
  onFailed(error: ApiError, isFinal: boolean): void;
}

export const firstPauseMs = 400;
export const longestRetryMs = 15_000;
const linkLength = 2_000;
const localePattern = /^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8}){0,4}$/;

export class VisitorSession {
  readonly calls: BlocksCalls;
  opened: OpenedSession | undefined;
  readonly #options: VisitorSessionOptions;
  readonly #storageKey: string;
  #opening: Promise<void> | undefined;

  constructor(options: VisitorSessionOptions) {
    const { host, signal } = options;
    const server = host.getAttribute('server') ?? new URL(import.meta.url).origin;
    this.#options = options;
    this.calls = new BlocksCalls(server.replace(/\/$/, ''));
    // `loader.ts` looks for the same key.
    this.#storageKey = `holdpoint-session ${host.getAttribute('public-key')} ${host.getAttribute('customer-id') ?? ''}`;
    const kept = stored<OpenedSession>(this.#storageKey, 'sessionStorage');
    if (kept && Date.parse(kept.expiresAt) > Date.now()) this.#use(kept);
    // A session for everybody who loads the page would create threads for visitors who never look.
    const seen = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      seen.disconnect();
      void this.record('widget_open');
    });
    seen.observe(host);
    signal.addEventListener('abort', () => seen.disconnect());
    const recordLink = (event: Event) => {
      const { url } = (event as CustomEvent<{ url: string }>).detail;
      void this.record('link_click', { url: url.slice(0, linkLength) });
    };
    host.addEventListener('holdpoint-link', recordLink, { signal });
  }

  /** Callers that wait at the same time share one session. */
  open(): Promise<void> {
    if (this.calls.token) return Promise.resolve();
    this.#opening ??= this.#openNew().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  end(): void {
    store(this.#storageKey, undefined, 'sessionStorage');
    this.calls.token = '';
  }

  async record(name: string, props: object = {}): Promise<void> {
    try {
      await this.open();
      this.calls.record(name, props);
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: the author of the page has no other place to read the reason.
      console.warn(`Holdpoint could not open a session: ${(error as Error).message}`);
    }
  }

  async #openNew(): Promise<void> {
    const { host, signal, onOpened, onFailed } = this.#options;
    const variables = host.getAttribute('variables');
    const locale = host.getAttribute('locale') || document.documentElement.lang || navigator.language;
    const visitor = defined({
      publicKey: host.getAttribute('public-key'),
      customerId: host.getAttribute('customer-id') || undefined,
      variables: variables ? (JSON.parse(variables) as unknown) : undefined,
      locale: localePattern.test(locale) ? locale : undefined,
    });
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 2, longestRetryMs))
      try {
        const opened = await this.calls.open(visitor);
        this.#use(opened);
        // The next person at the same computer must not find the session, as in `localStorage`.
        store(this.#storageKey, opened, 'sessionStorage');
        return onOpened();
      } catch (error) {
        const isFinal = !mayPass(error);
        onFailed(error as ApiError, isFinal);
        if (isFinal) throw error;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
  }

  #use(opened: OpenedSession): void {
    this.opened = opened;
    this.calls.token = opened.sessionToken;
  }
}

/** No connection, too many calls, or a server error. */
function mayPass(error: unknown): boolean {
  const { status } = error as ApiError;
  return status === 0 || status === 429 || status >= 500;
}

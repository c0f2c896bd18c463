/**
 * One script tag shows a launcher. It fetches the conversation when the person opens it, or when a question may be pending.
 *
 * <script src="https://holdpoint.example.com/widget/loader.js" data-thread="…" data-token="…" async></script>
 *
 * Attributes: data-server, data-locale, data-theme, data-label and data-close-label (of the button while the conversation
 * is closed and open), and data-open (opens at once). A signed-in user needs data-thread and data-token. A public page
 * needs data-public-key, and may have data-customer-id and data-variables.
 */
const bubble = 'M4 3h16a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z';
const cross = 'm12 10 7-7 2 2-7 7 7 7-2 2-7-7-7 7-2-2 7-7-7-7 2-2z';

if (document.currentScript) begin(document.currentScript as HTMLScriptElement);

function begin(script: HTMLScriptElement): void {
  const { src, dataset } = script;
  const { server = new URL(src).origin, theme, publicKey, customerId, open } = dataset;
  const { label = 'Open the conversation', closeLabel = 'Close the conversation' } = dataset;
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :host { color-scheme: ${theme ?? 'light dark'}; }
    button {
      position: fixed; inset-block-end: 20px; inset-inline-end: 20px; z-index: 2147483000; width: 56px; height: 56px;
      border: 0; border-radius: 50%; padding: 15px; cursor: pointer; box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
      background: var(--hp-accent, light-dark(#2f56d9, #8fa8ff)); color: var(--hp-on-accent, light-dark(#fff, #0d1330));
    }
    button:focus-visible { outline: 3px solid var(--hp-accent, light-dark(#2f56d9, #8fa8ff)); outline-offset: 3px; }
    svg { display: block; fill: currentcolor; }
    b { position: absolute; inset-block-start: -4px; inset-inline-end: -4px; min-width: 22px; height: 22px; padding-inline: 5px;
      border-radius: 11px; background: #b3261e; color: #fff; font: 600 13px/22px system-ui, sans-serif; }
    b::before { content: attr(data-count); }
    b:not([data-count]), [aria-expanded=true] b { display: none; }
    div { position: fixed; inset-block-end: 88px; inset-inline-end: 20px; z-index: 2147483000;
      width: min(420px, calc(100vw - 40px)); height: min(680px, calc(100dvh - 108px)); }
    div[hidden] { display: none; }
    div:focus { outline: none; }
    holdpoint-chat { height: 100%; --hp-height: 100%; box-shadow: 0 8px 32px rgb(0 0 0 / 24%); border-radius: 10px; }
    @media (max-width: 480px) { div { inset: 0 0 88px 0; width: auto; height: auto; } }
  `);
  root.adoptedStyleSheets = [sheet];
  const button = document.createElement('button');
  button.type = 'button';
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  icon.append(path);
  const badge = document.createElement('b');
  button.append(icon, badge);
  const panel = document.createElement('div');
  panel.hidden = true;
  panel.setAttribute('role', 'region');
  panel.setAttribute('aria-label', label);
  panel.tabIndex = -1;
  root.append(panel, button);
  document.body.append(host);

  let chat: HTMLElement | undefined;
  let count = 0;
  /** While the conversation is open, the launcher closes it. */
  const draw = () => {
    const isOpen = !panel.hidden;
    button.setAttribute('aria-expanded', String(isOpen));
    button.setAttribute('aria-label', isOpen ? closeLabel : count > 0 ? `${label} (${count})` : label);
    path.setAttribute('d', isOpen ? cross : bubble);
    // Shown by a style rule, because the name of the button already has the number.
    badge.toggleAttribute('data-count', count > 0);
    if (count > 0) badge.dataset.count = String(Math.min(count, 99));
  };
  const load = async () => {
    if (!chat) {
      chat = document.createElement('holdpoint-chat');
      chat.setAttribute('server', server);
      for (const name of ['thread', 'token', 'public-key', 'customer-id', 'variables', 'locale', 'theme'])
        if (script.hasAttribute(`data-${name}`)) chat.setAttribute(name, script.getAttribute(`data-${name}`) ?? '');
      chat.addEventListener('holdpoint-pending', (event) => {
        count = (event as CustomEvent<{ count: number }>).detail.count;
        draw();
      });
      panel.append(chat);
    }
    await import(new URL('widget.js', src).href);
  };
  const show = async (isShown: boolean) => {
    panel.hidden = !isShown;
    draw();
    (isShown ? panel : button).focus();
    if (!isShown) return;
    await load();
    // On a touch screen, the keyboard would cover the conversation.
    if (root.activeElement === panel && matchMedia('(hover: hover)').matches)
      chat?.shadowRoot?.querySelector('textarea')?.focus();
  };
  button.addEventListener('click', () => show(panel.hidden === true));
  // A layer inside the conversation that closes stops the event.
  root.addEventListener('keydown', (event) => {
    const { key, isComposing, defaultPrevented } = event as KeyboardEvent;
    if (key === 'Escape' && !isComposing && !defaultPrevented && !panel.hidden) void show(false);
  });
  // Leaves the focus to the page.
  if (open !== undefined) {
    panel.hidden = false;
    void load();
  }
  // Loads to count the pending questions. A visitor without a session has none.
  else if (!publicKey || isKept(`holdpoint-session ${publicKey} ${customerId ?? ''}`))
    requestIdleCallback(() => void load());
  draw();
}

/** A page may forbid storage. */
function isKept(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

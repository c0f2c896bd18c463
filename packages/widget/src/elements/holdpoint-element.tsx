/** What every element shares: one shadow root with sheets that need no inline style, a language, and a tree that follows its attributes. */
import { type ComponentChildren, render } from 'preact';
import { english } from '../strings/en.ts';
import { languageOf, loadStrings, rightToLeft } from '../strings/languages.ts';
import type { Strings } from '../strings/strings.ts';
import { controls } from '../style/controls.ts';
import { fieldSheet, markdownSheet } from '../style/field-sheet.ts';
import { request, stack } from '../style/request.ts';
import { tokens } from '../style/tokens.ts';
import { keepFocus } from './keep-focus.ts';

/** One sheet for all elements that have the same rules. */
const sheets = new Map<string, CSSStyleSheet>();

function sheetOf(css: string): CSSStyleSheet {
  const known = sheets.get(css);
  if (known) return known;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  sheets.set(css, sheet);
  return sheet;
}

const shared = tokens + controls + request + stack;

export abstract class HoldpointElement extends HTMLElement {
  static observedAttributes = ['locale'];
  protected readonly root = this.attachShadow({ mode: 'open' });
  protected strings: Strings = english;
  #language = 'en';
  #isDue = false;

  /** Rules of its own. */
  protected readonly styles: string = '';

  constructor() {
    super();
    keepFocus(this.root);
  }

  connectedCallback(): void {
    this.root.adoptedStyleSheets = [sheetOf(shared), fieldSheet, markdownSheet, sheetOf(this.styles)];
    this.#speak();
    this.update();
  }

  /** An element that is moved is back at the end of the turn, and goes on as it is. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (!this.isConnected) this.leave();
    });
  }

  /** Moved by `moveBefore`: nothing is lost, not even the focus. */
  connectedMoveCallback(): void {}

  protected leave(): void {
    render(null, this.root);
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.isConnected || before === after) return;
    if (name === 'locale') this.#speak();
    this.update();
  }

  /** The language a person reads: as the element says, or the page, or the browser. */
  protected get locale(): string {
    return this.getAttribute('locale') || this.ownerDocument.documentElement.lang || navigator.language || 'en';
  }

  protected abstract view(): ComponentChildren;

  /** Draws once for all that changed in this turn. */
  protected update(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.isConnected) render(this.view(), this.root);
    });
  }

  protected tell(type: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(`holdpoint-${type}`, { detail, bubbles: true, composed: true }));
  }

  #speak(): void {
    const language = languageOf(this.locale);
    // Beside what the page says, because a page in English may ask in Arabic.
    this.dir = rightToLeft.has(language) ? 'rtl' : 'ltr';
    this.lang = language;
    if (language === this.#language) return;
    this.#language = language;
    void loadStrings(language).then((strings) => {
      if (this.#language !== language) return;
      this.strings = strings;
      this.update();
    });
  }
}

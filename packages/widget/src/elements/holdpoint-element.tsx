/** The base of every element: a shadow root with style sheets, a language, and a view that follows the attributes. */
import { type ComponentChildren, render } from 'preact';
import { english } from '../strings/en.ts';
import { languageOf, loadStrings, rightToLeft } from '../strings/languages.ts';
import type { Strings } from '../strings/strings.ts';
import { controls } from '../style/controls.ts';
import { request, stack } from '../style/request.ts';
import { fieldSheet, markdownSheet, sheetOf } from '../style/sheets.ts';
import { tokens } from '../style/tokens.ts';
import { keepFocus } from './keep-focus.ts';

const shared = tokens + controls + request + stack;

export abstract class HoldpointElement extends HTMLElement {
  static observedAttributes = ['locale'];
  protected readonly root = this.attachShadow({ mode: 'open' });
  protected strings: Strings = english;
  #language = 'en';
  #isDue = false;

  /** Style rules of this element alone. */
  protected readonly styles: string = '';

  constructor() {
    super();
    keepFocus(this.root);
  }

  connectedCallback(): void {
    // Once, because a moved element must keep the rules that were added later.
    if (!this.root.adoptedStyleSheets.length)
      this.root.adoptedStyleSheets = [sheetOf(shared), fieldSheet, markdownSheet, sheetOf(this.styles)];
    this.#setLanguage();
    this.update();
  }

  /** An element that is only moved is back in the page at the end of the turn. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (!this.isConnected) this.leave();
    });
  }

  /** Empty: `moveBefore` keeps the state and the focus. */
  connectedMoveCallback(): void {}

  protected leave(): void {
    render(null, this.root);
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (!this.isConnected || before === after) return;
    if (name === 'locale') this.#setLanguage();
    this.update();
  }

  /** The person's language: of the element, else of the page, else of the browser. */
  protected get locale(): string {
    return this.getAttribute('locale') || this.ownerDocument.documentElement.lang || navigator.language || 'en';
  }

  protected abstract view(): ComponentChildren;

  /** Renders once for all changes of this turn. */
  protected update(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.isConnected) render(this.view(), this.root);
    });
  }

  protected emit(type: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(`holdpoint-${type}`, { detail, bubbles: true, composed: true }));
  }

  #setLanguage(): void {
    const language = languageOf(this.locale);
    // Set on the element, because a page in English may ask in Arabic.
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

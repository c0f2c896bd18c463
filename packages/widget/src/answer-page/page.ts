/** Shows the question, or a state such as "expired". */
import type { Interaction } from '@holdpoint/protocol';
import { visibleText } from '@holdpoint/protocol/answers';
import type { Line } from './own-answer.ts';
import type { PageState, Words } from './words.ts';

/** The picture of each state. */
const pictures: Record<PageState, string> = {
  sent: 'done',
  answered: 'done',
  declined: 'closed',
  expired: 'late',
  cancelled: 'closed',
  linkOver: 'late',
  linkBroken: 'link',
  gone: 'link',
  unreachable: 'offline',
};

const part = <E extends Element>(id: string): E => {
  const found = document.getElementById(id) as E | null;
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
};

export class AnswerPage {
  readonly #words: Words & { language: string };
  readonly #state = part<HTMLElement>('state');
  readonly #place = part<HTMLElement>('question');
  readonly #notice = part<HTMLElement>('notice');
  readonly #retry = part<HTMLButtonElement>('retry');
  #isBegun = false;
  /** The state to show after the person has dismissed their input, or it was accepted. */
  #after: Parameters<AnswerPage['show']> | undefined;

  constructor(words: Words & { language: string }, retry: () => void) {
    this.#words = words;
    document.title = words.heading;
    this.#notice.textContent = words.offline;
    this.#retry.textContent = words.retry;
    this.#retry.addEventListener('click', retry);
    this.#place.addEventListener('holdpoint-begun', (event) => {
      this.#isBegun = (event as CustomEvent<{ isBegun: boolean }>).detail.isBegun;
      if (this.#after) this.show(...this.#after);
    });
  }

  /** After this person has voted, the question itself says that others still have to answer. */
  showQuestion({ token, interactionId }: { token: string; interactionId: string }, isVoted: boolean): void {
    const { heading, states } = this.#words;
    part('heading').textContent = isVoted ? states.sent[0] : heading;
    this.#state.hidden = true;
    part<HTMLElement>('head').hidden = false;
    this.#place.hidden = false;
    if (this.#place.firstChild) return;
    const element = document.createElement('holdpoint-request');
    element.setAttribute('interaction', interactionId);
    element.setAttribute('token', token);
    this.#place.append(element);
  }

  /** Names the requester, the tool, the time, and the person who answers. */
  showContext({ createdBy, createdAt, origin }: Interaction, responderId: string): void {
    const at = new Date(createdAt);
    const time = at.toLocaleString(this.#words.language, { dateStyle: 'medium', timeStyle: 'short' });
    const asks = this.#words.asks(visibleText(createdBy.name ?? createdBy.id));
    part('requester').textContent = [asks, visibleText(origin.reference ?? ''), time].filter(Boolean).join(' · ');
    part('you').textContent = this.#words.you(visibleText(responderId));
  }

  /**
   * Replaces the question, unless the person began to answer. Then the question itself shows how it ended, and keeps
   * their input.
   */
  show(state: PageState, question = '', own?: { responderId: string; lines: readonly Line[] }): void {
    const [title, text] = this.#words.states[state];
    if (this.#isBegun && this.hasQuestion) {
      this.#after = [state, question, own];
      part('heading').textContent = title;
      return;
    }
    const hadFocus = this.#place.contains(document.activeElement);
    this.#place.replaceChildren();
    this.#place.hidden = true;
    part<HTMLElement>('head').hidden = true;
    this.isOffline = false;
    this.#state.dataset.state = state;
    part('picture').setAttribute('href', `#${pictures[state]}`);
    part('title').textContent = title;
    part('about').textContent = visibleText(question);
    part('text').textContent = text;
    part<HTMLElement>('own').hidden = !own;
    part('own-title').textContent = own ? this.#words.yourAnswer(visibleText(own.responderId)) : '';
    part('own-lines').replaceChildren(...(own?.lines ?? []).map(lineView));
    this.#retry.hidden = state !== 'unreachable';
    this.#state.hidden = false;
    // A screen reader announces the new state to the person who was in the form.
    if (hadFocus) part<HTMLElement>('title').focus();
  }

  get hasQuestion(): boolean {
    return this.#place.firstChild !== null;
  }

  /** Shows a notice next to the question, which stays. */
  set isOffline(isOffline: boolean) {
    this.#notice.hidden = !isOffline;
  }
}

function lineView([label, value]: Line): HTMLElement {
  const line = document.createElement('div');
  const [name, said] = [document.createElement('dt'), document.createElement('dd')];
  name.textContent = label;
  said.textContent = value;
  said.dir = 'auto';
  line.append(...(label === '' ? [] : [name]), said);
  return line;
}
